// The files of the page, as they are in the folder beside this one, put into the binary by the compiler.
#pragma once
#include <stddef.h>

struct page_file {
  const char *path;
  const char *type;
  const unsigned char *bytes;
  size_t count;
};

/// How many files there are.
size_t page_file_count(void);

/// One of them, from 0 on.
struct page_file page_file_at(size_t index);
