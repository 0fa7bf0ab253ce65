#define _GNU_SOURCE
#include "CWipingAllocator.h"

#include <malloc.h>
#include <string.h>
#include <sys/resource.h>

// Sanitizers bring an allocator.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HAS_OTHER_ALLOCATOR
#endif
#endif

#if defined(__GLIBC__) && !defined(HAS_OTHER_ALLOCATOR)

// glibc's functions under the names that it exports for replacements like these.
void *__libc_malloc(size_t size);
void *__libc_realloc(void *memory, size_t size);
void __libc_free(void *memory);

// glibc reserves 64 MB of address space for each arena after the first. Under a limit (`ulimit -v`), arenas would take what threads
// and answers need. Without a limit, several arenas serve 64 surfaces up to a third faster than one.
__attribute__((constructor)) static void use_one_arena_under_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) mallopt(M_ARENA_MAX, 1);
}

// Most blocks are small, and a call costs more than their stores. The barrier keeps the compiler from leaving out stores to
// memory that is freed next, and from calling memset(3).
static inline void wipe(char *memory, size_t size) {
  if (size > 256) {
    explicit_bzero(memory, size);
    return;
  }
  for (; size >= 64; memory += 64, size -= 64) {
    __builtin_memset(memory, 0, 64);
    __asm__ volatile("" : : "r"(memory) : "memory");
  }
  for (; size >= 8; memory += 8, size -= 8) {
    __builtin_memset(memory, 0, 8);
    __asm__ volatile("" : : "r"(memory) : "memory");
  }
  for (; size > 0; memory++, size--) *(volatile char *)memory = 0;
}

void free(void *memory) {
  if (!memory) return;
  wipe(memory, malloc_usable_size(memory));
  __libc_free(memory);
}

void *realloc(void *memory, size_t size) {
  if (!memory) return __libc_malloc(size);
  if (size == 0) {
    free(memory);
    return NULL;
  }
  size_t usable = malloc_usable_size(memory);
  if (size <= usable) {
    wipe((char *)memory + size, usable - size);
    return __libc_realloc(memory, size);
  }
  // glibc would free the old block without overwriting it.
  void *larger = __libc_malloc(size);
  if (!larger) return NULL;
  memcpy(larger, memory, usable);
  free(memory);
  return larger;
}

#endif
