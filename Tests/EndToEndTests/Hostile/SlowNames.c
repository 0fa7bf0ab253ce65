// An LD_PRELOAD library that makes each lookup of a user, group or host wait, as for a name service that does not reply.
//
// Each lookup appends its function's name to $ROUTER_SLOW_NAMES_LOG, and waits until $ROUTER_SLOW_NAMES_GATE, a FIFO, has a byte.
// Without a FIFO nothing waits, unless $ROUTER_SLOW_NAMES_SECONDS says how long each lookup takes. After twenty minutes a lookup gives
// up and appends a line that says so, so that a test fails instead of hanging.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <grp.h>
#include <netdb.h>
#include <poll.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void note(const char *text, const char *function) {
  int log = open(getenv("ROUTER_SLOW_NAMES_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (log < 0) return;
  dprintf(log, "%s%s\n", text, function);
  close(log);
}

static void wait_for(const char *function) {
  const char *seconds = getenv("ROUTER_SLOW_NAMES_SECONDS");
  if (seconds) {
    sleep(atoi(seconds));
    return;
  }
  int gate = open(getenv("ROUTER_SLOW_NAMES_GATE"), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (gate < 0) return;
  note("", function);
  struct pollfd ready = {.fd = gate, .events = POLLIN};
  if (poll(&ready, 1, 1200000) == 0) note("gave up ", function);
  close(gate);
}

#define LOOKUP(result, name, parameters, arguments)                 \
  result name parameters {                                          \
    result(*real) parameters = (result(*) parameters)dlsym(RTLD_NEXT, #name); \
    wait_for(#name);                                                \
    return real arguments;                                          \
  }

LOOKUP(struct passwd *, getpwuid, (uid_t id), (id))
LOOKUP(struct passwd *, getpwnam, (const char *name), (name))
LOOKUP(struct group *, getgrgid, (gid_t id), (id))
LOOKUP(struct group *, getgrnam, (const char *name), (name))
LOOKUP(int, getpwuid_r, (uid_t id, struct passwd *entry, char *buffer, size_t size, struct passwd **found),
       (id, entry, buffer, size, found))
LOOKUP(int, getpwnam_r, (const char *name, struct passwd *entry, char *buffer, size_t size, struct passwd **found),
       (name, entry, buffer, size, found))
LOOKUP(int, getgrgid_r, (gid_t id, struct group *entry, char *buffer, size_t size, struct group **found),
       (id, entry, buffer, size, found))
LOOKUP(int, getgrnam_r, (const char *name, struct group *entry, char *buffer, size_t size, struct group **found),
       (name, entry, buffer, size, found))
LOOKUP(int, getgrouplist, (const char *user, gid_t group, gid_t *groups, int *count), (user, group, groups, count))
LOOKUP(int, initgroups, (const char *user, gid_t group), (user, group))
LOOKUP(int, getaddrinfo, (const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **found),
       (node, service, hints, found))
LOOKUP(int, getnameinfo,
       (const struct sockaddr *address, socklen_t size, char *host, socklen_t host_size, char *service,
        socklen_t service_size, int flags),
       (address, size, host, host_size, service, service_size, flags))
