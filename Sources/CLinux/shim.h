/// What Linux has and Swift's Glibc module does not show, or not reliably: timerfd_create(2), epoll(7), pipe2(2), pidfd_open(2),
/// what a child closes, execveat(2), memfd_create(2), openat2(2), seccomp(2), landlock(7), statx(2), and the time as a type of one owner: `struct timespec` belongs to whichever module was read first, which changes from
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

/// A system call that has no wrapper; the first argument is its number.
long clinux_system_call(long number, long first, long second, long third) __asm__("syscall");

/// prctl(2), for options whose arguments are numbers.
int clinux_process_control(int option, unsigned long second, unsigned long third, unsigned long fourth, unsigned long fifth)
    __asm__("prctl");

/// `struct sock_fprog`: a filter of system calls, whose instructions have 8 bytes each.
struct clinux_filter {
  unsigned short count;
  const unsigned long long *instructions;
};

/// `struct landlock_ruleset_attr`.
struct clinux_landlock {
  unsigned long long files;
  unsigned long long ports;
  unsigned long long scope;
};

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
  unsigned long long size;
  unsigned long long unused[6];
  /// The time of the last change of content or attributes (stx_ctime).
  long long changed_seconds;
  unsigned changed_nanoseconds;
  int reserved;
  unsigned long long modified[2];
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

/// memfd_create(2), since glibc 2.27.
int clinux_memory_file(const char *name, unsigned flags) __asm__("memfd_create");

// For the child of clinux_start: all of it is async-signal-safe (signal-safety(7)).
int clinux_fork(void) __asm__("fork");
int clinux_change_directory(int directory) __asm__("fchdir");
int clinux_execute(const char *path, char *const *arguments, char *const *environment) __asm__("execve");
int clinux_execute_at(int directory, const char *path, char *const *arguments, char *const *environment, int flags) __asm__("execveat");
int clinux_signal_mask(int how, const void *set, void *before) __asm__("pthread_sigmask");
void (*clinux_signal(int number, void (*action)(int)))(int) __asm__("signal");
long clinux_write(int descriptor, const void *bytes, unsigned long count) __asm__("write");
void clinux_exit(int status) __asm__("_exit") __attribute__((noreturn));
int *clinux_error(void) __asm__("__errno_location");

/// A program to execute in a child.
struct clinux_program {
  /// The working directory.
  int directory;
  /// The file to execute, or -1 to execute `path`.
  int file;
  const char *path;
  char *const *arguments;
  char *const *environment;
  /// The signals with the default action, and those that are ignored, each ended by 0.
  const int *defaults;
  const int *ignored;
  /// Closed by the execution, or receives the number of the error that prevented it.
  int failure;
};

/// Forks a child that executes a program, with no blocked signals. Returns its id, or -1 and sets errno.
///
/// Swift code must not run between fork(2) and execve(2): it may allocate memory, and take locks that another thread has.
static inline int clinux_start(const struct clinux_program *program) {
  unsigned long all[16], before[16], none[16];
  for (int index = 0; index < 16; ++index) {
    all[index] = ~0ul;
    none[index] = 0;
  }
  // The handlers of this process must not run in the child: SIG_BLOCK is 0, and SIG_SETMASK 2.
  clinux_signal_mask(0, all, before);
  int child = clinux_fork();
  if (child != 0) {
    int error = *clinux_error();
    clinux_signal_mask(2, before, 0);
    *clinux_error() = error;
    return child;
  }
  for (const int *number = program->defaults; *number; ++number) clinux_signal(*number, (void (*)(int))0);
  for (const int *number = program->ignored; *number; ++number) clinux_signal(*number, (void (*)(int))1);
  clinux_signal_mask(2, none, 0);
  if (clinux_change_directory(program->directory) == 0) {
    if (program->file < 0) {
      clinux_execute(program->path, program->arguments, program->environment);
    } else {
      // AT_EMPTY_PATH.
      clinux_execute_at(program->file, "", program->arguments, program->environment, 0x1000);
    }
  }
  int error = *clinux_error();
  clinux_write(program->failure, &error, sizeof error);
  clinux_exit(127);
}

#endif
