/// What Linux has and Swift's Glibc module does not show, or not reliably: timerfd_create(2), epoll(7), pipe2(2), pidfd_open(2),
/// what a child closes, openat2(2), statx(2), and the time as a type of one owner: `struct timespec` belongs to whichever module was read first, which changes from
/// build to build.
///
/// Declared here and not included: a header of the C library that comes in through two modules gives its types two owners.
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

/// `struct itimerspec`.
struct clinux_timer_setting {
  long interval_seconds;
  long interval_nanoseconds;
  long value_seconds;
  long value_nanoseconds;
};

/// `struct timespec`.
struct clinux_time {
  long seconds;
  long nanoseconds;
};

/// clock_gettime(2).
int clinux_clock_gettime(int clock, struct clinux_time *time) __asm__("clock_gettime");

/// pipe2(2).
int clinux_pipe(int descriptors[2], int flags) __asm__("pipe2");

/// posix_spawn_file_actions_addclosefrom_np(3), since glibc 2.34.
int clinux_close_from(void *actions, int first) __asm__("posix_spawn_file_actions_addclosefrom_np");

/// pidfd_open(2), since glibc 2.36.
int pidfd_open(int process, unsigned flags);

/// `struct open_how`.
struct clinux_open_how {
  unsigned long long flags;
  unsigned long long mode;
  unsigned long long resolve;
};

/// openat2(2), which has no wrapper; the first argument is its number.
long clinux_openat2(
    long number, int directory, const char *path, const struct clinux_open_how *how, unsigned long size) __asm__("syscall");

/// `struct statx`.
struct clinux_file {
  unsigned mask;
  unsigned block_size;
  unsigned long long attributes;
  unsigned links;
  unsigned user;
  unsigned group;
  unsigned short mode;
  unsigned short padding;
  unsigned long long inode;
  unsigned long long unused[11];
  unsigned special_major;
  unsigned special_minor;
  unsigned device_major;
  unsigned device_minor;
  unsigned long long later[14];
};

int clinux_statx(int directory, const char *path, int flags, unsigned mask, struct clinux_file *file) __asm__("statx");

int timerfd_create(int clock, int flags);
int timerfd_settime(
    int descriptor, int flags, const struct clinux_timer_setting *setting, struct clinux_timer_setting *before);

/// `struct epoll_event`, which has no padding on x86-64 alone, and its data as a number of 32 bits.
struct clinux_readiness {
  unsigned events;
#ifndef __x86_64__
  unsigned padding;
#endif
  unsigned number;
  unsigned unused;
};

int clinux_epoll_create(int flags) __asm__("epoll_create1");
int clinux_epoll_ctl(int poll, int operation, int descriptor, struct clinux_readiness *event) __asm__("epoll_ctl");
int clinux_epoll_wait(int poll, struct clinux_readiness *events, int count, int milliseconds) __asm__("epoll_wait");

#endif
