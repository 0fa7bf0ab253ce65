/// What Linux has and Swift's Glibc module does not show.
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

#include <sys/timerfd.h>

#endif
