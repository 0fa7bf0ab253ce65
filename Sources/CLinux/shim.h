/// What Linux has and Swift's Glibc module does not show: timerfd_create(2).
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

int timerfd_create(int clock, int flags);
int timerfd_settime(
    int descriptor, int flags, const struct clinux_timer_setting *setting, struct clinux_timer_setting *before);

#endif
