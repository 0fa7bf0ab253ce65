// openapi.json, embedded into the binary by the compiler.
#pragma once
#include <stddef.h>

/// The document's UTF-8.
const unsigned char *openapi_bytes(void);

/// The number of bytes.
size_t openapi_count(void);
