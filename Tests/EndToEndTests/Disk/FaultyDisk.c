// An LD_PRELOAD library that makes the disk under a database fail on command.
//
// ROUTER_FAULTY_DISK names a file that FaultyDisk.swift shares with the program; with .held, a pipe to it. Calls on files other
// than a database's pass through.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct control {
  // The error of each kind of call; 0 lets it pass.
  _Atomic int32_t read, write, sync, truncate;
  // How many bytes files may still grow by; negative for no limit.
  _Atomic int64_t space;
  // The number of failed calls.
  _Atomic int64_t failures;
  // Whether fdatasync waits until this is 0 again, and the number of waiting calls.
  _Atomic int32_t hold, held;
};

static struct control none = {.space = -1};
static struct control *control = &none;
static int holding = -1;

__attribute__((constructor)) static void start(void) {
  const char *path = getenv("ROUTER_FAULTY_DISK");
  char pipe[4096];
  if (path && snprintf(pipe, sizeof pipe, "%s.held", path) < (int)sizeof pipe) holding = open(pipe, O_RDWR | O_CLOEXEC);
  int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (fd < 0) return;
  void *shared = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (shared != MAP_FAILED) control = shared;
  close(fd);
}

// Whether a descriptor is a database, its write-ahead log or its journal.
static int is_database(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  const char *name = strstr(path, ".db");
  return name && (!name[3] || !strcmp(name, ".db-wal") || !strcmp(name, ".db-journal"));
}

static int fails(_Atomic int32_t *kind, int fd) {
  int error = atomic_load(kind);
  if (!error || !is_database(fd)) return 0;
  atomic_fetch_add(&control->failures, 1);
  errno = error;
  return 1;
}

// Returns how much of a write fits; negative for nothing.
static ssize_t room(int fd, size_t count, off_t offset) {
  struct stat status;
  if (atomic_load(&control->space) < 0 || !is_database(fd) || fstat(fd, &status)) return count;
  off_t growth = offset + (off_t)count - status.st_size;
  if (growth <= 0) return count;
  int64_t space = atomic_load(&control->space);
  if (growth <= space) {
    atomic_fetch_sub(&control->space, growth);
    return count;
  }
  atomic_fetch_add(&control->failures, 1);
  ssize_t fits = (ssize_t)count - (growth - space);
  if (fits > 0) {
    atomic_store(&control->space, 0);
    return fits;
  }
  errno = ENOSPC;
  return -1;
}

#define NEXT(name) \
  static __typeof__(name) *next; \
  if (!next) next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
  NEXT(pwrite);
  if (fails(&control->write, fd)) return -1;
  ssize_t fits = room(fd, count, offset);
  return fits < 0 ? -1 : next(fd, bytes, fits, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
  NEXT(pwrite64);
  if (fails(&control->write, fd)) return -1;
  ssize_t fits = room(fd, count, offset);
  return fits < 0 ? -1 : next(fd, bytes, fits, offset);
}

ssize_t pread(int fd, void *bytes, size_t count, off_t offset) {
  NEXT(pread);
  return fails(&control->read, fd) ? -1 : next(fd, bytes, count, offset);
}

ssize_t pread64(int fd, void *bytes, size_t count, off64_t offset) {
  NEXT(pread64);
  return fails(&control->read, fd) ? -1 : next(fd, bytes, count, offset);
}

int fsync(int fd) {
  NEXT(fsync);
  return fails(&control->sync, fd) ? -1 : next(fd);
}

int fdatasync(int fd) {
  NEXT(fdatasync);
  if (atomic_load(&control->hold) && is_database(fd)) {
    atomic_fetch_add(&control->held, 1);
    write(holding, "x", 1);
    while (atomic_load(&control->hold)) usleep(1000);
    atomic_fetch_sub(&control->held, 1);
  }
  return fails(&control->sync, fd) ? -1 : next(fd);
}

int ftruncate(int fd, off_t length) {
  NEXT(ftruncate);
  return fails(&control->truncate, fd) ? -1 : next(fd, length);
}

int ftruncate64(int fd, off64_t length) {
  NEXT(ftruncate64);
  return fails(&control->truncate, fd) ? -1 : next(fd, length);
}
