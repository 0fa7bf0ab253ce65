// The output of every program here: one line of JSON, times in seconds.
#ifndef REPORT_H
#define REPORT_H
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static int by_size(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static inline void report(double *latencies, long count, double seconds) {
  qsort(latencies, count, sizeof *latencies, by_size);
  printf("{\"count\":%ld,\"seconds\":%.6f,\"perSecond\":%.1f,\"latency\":{\"p50\":%.9f,\"p99\":%.9f}}\n", count, seconds,
         count / seconds, latencies[(count - 1) / 2], latencies[(long)((count - 1) * 0.99)]);
}

static inline void die(const char *what) {
  perror(what);
  exit(1);
}
#endif
