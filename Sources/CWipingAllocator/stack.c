#define _GNU_SOURCE
#include "CWipingAllocator.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Less than any thread has left when its turn ends.
enum { DEPTH = 64 << 10 };

__attribute__((noinline)) static void overwrite(void) {
  char unused[DEPTH];
  explicit_bzero(unused, sizeof unused);
}

__attribute__((noinline)) void wipe_dead_stack(void) {
  overwrite();
  // Deeper pages are given back: they read as zeros afterwards, and the stack is not made resident. The calls below need those
  // next to this frame, which are overwritten.
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes)) return;
  void *lowest;
  size_t size;
  if (!pthread_attr_getstack(&attributes, &lowest, &size)) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t end = ((uintptr_t)__builtin_frame_address(0) - DEPTH / 2) & ~(page - 1);
    if (end > (uintptr_t)lowest) madvise(lowest, end - (uintptr_t)lowest, MADV_DONTNEED);
  }
  pthread_attr_destroy(&attributes);
}
