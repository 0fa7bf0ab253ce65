// A name service that takes two seconds for each name, as LD_PRELOAD library.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#define SLOW(result, name, parameters, arguments)                  \
  result name parameters {                                         \
    result(*next) parameters = dlsym(RTLD_NEXT, #name);            \
    sleep(2);                                                      \
    return next arguments;                                         \
  }

SLOW(struct passwd *, getpwuid, (uid_t uid), (uid))
SLOW(struct passwd *, getpwnam, (const char *name), (name))
SLOW(struct group *, getgrgid, (gid_t gid), (gid))
SLOW(struct group *, getgrnam, (const char *name), (name))
SLOW(int, getpwuid_r, (uid_t uid, struct passwd *entry, char *buffer, size_t size, struct passwd **found),
     (uid, entry, buffer, size, found))
SLOW(int, getpwnam_r, (const char *name, struct passwd *entry, char *buffer, size_t size, struct passwd **found),
     (name, entry, buffer, size, found))
SLOW(int, getgrgid_r, (gid_t gid, struct group *entry, char *buffer, size_t size, struct group **found),
     (gid, entry, buffer, size, found))
SLOW(int, getgrnam_r, (const char *name, struct group *entry, char *buffer, size_t size, struct group **found),
     (name, entry, buffer, size, found))
SLOW(int, getgrouplist, (const char *user, gid_t group, gid_t *groups, int *count), (user, group, groups, count))
