#include "COpenAPI.h"

// #embed is from C23; clang accepts it in earlier versions with a warning.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char document[] = {
#embed "openapi.json"
};

const unsigned char *openapi_bytes(void) { return document; }

size_t openapi_count(void) { return sizeof document; }
