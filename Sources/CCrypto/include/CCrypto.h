// SHA-256, HMAC, comparison and random bytes of the system's libcrypto (OpenSSL 3.0 and later), for Swift.
//
// libcrypto is loaded by crypto_load() instead of the linker, because loading it takes a tenth of routerctl's time for a question,
// which needs none of it. OpenSSL's headers stay in crypto.c: their types would compete with those of Swift's Glibc module.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { crypto_sha256_size = 32, crypto_sha1_size = 20 };

// Loads libcrypto. Returns NULL, or the reason why it cannot be loaded, which the caller does not free. Called once, before the
// other functions, which any thread may call.
const char *crypto_load(void);

// The functions return whether they have succeeded. libcrypto wipes their state.
bool crypto_sha256(const void *bytes, size_t count, unsigned char *hash);
bool crypto_hmac_sha256(const void *key, size_t key_count, const void *bytes, size_t count, unsigned char *code);
// Only for the hashed names of OpenSSH's known_hosts files.
bool crypto_hmac_sha1(const void *key, size_t key_count, const void *bytes, size_t count, unsigned char *code);
bool crypto_random(void *bytes, size_t count);

// Compares in constant time.
bool crypto_is_equal(const void *first, const void *second, size_t count);
