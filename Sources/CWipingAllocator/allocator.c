#define _GNU_SOURCE
#include "CWipingAllocator.h"

#include <malloc.h>
#include <string.h>

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

void free(void *memory) {
  if (!memory) return;
  explicit_bzero(memory, malloc_usable_size(memory));
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
    explicit_bzero((char *)memory + size, usable - size);
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
