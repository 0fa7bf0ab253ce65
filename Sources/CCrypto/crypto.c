#include "CCrypto.h"

#include <dlfcn.h>

#if !__has_include(<openssl/evp.h>)
#error "install the headers of OpenSSL: libssl-dev on Debian and Ubuntu, openssl-devel on Fedora"
#endif
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/opensslv.h>
#include <openssl/rand.h>

#if OPENSSL_VERSION_NUMBER < 0x30000000L
#error "Router needs OpenSSL 3.0 or later"
#endif

#define TEXT_OF(macro) TEXT(macro)
#define TEXT(token) #token

static __typeof__(CRYPTO_memcmp) *compare;
static __typeof__(EVP_Digest) *digest;
static __typeof__(EVP_MD_fetch) *fetch;
static __typeof__(EVP_Q_mac) *mac;
static __typeof__(OPENSSL_init_crypto) *initialize;
static __typeof__(OSSL_LIB_CTX_new) *make_context;
static __typeof__(RAND_bytes_ex) *random_bytes;

// Router's own context: the default one would read openssl.cnf, or keep the program that uses Router from reading it.
static OSSL_LIB_CTX *context;
// Fetched once, because each look-up takes as long as a short hash.
static EVP_MD *sha256;

static const char *last_error(void) {
  const char *error = dlerror();
  return error ? error : "unknown error";
}

const char *crypto_load(void) {
  // The version whose headers these are.
  void *library = dlopen("libcrypto.so." TEXT_OF(OPENSSL_SHLIB_VERSION), RTLD_NOW | RTLD_LOCAL);
  if (!library) return last_error();
  struct {
    void **function;
    const char *name;
  } const functions[] = {
      {(void **)&compare, "CRYPTO_memcmp"},        {(void **)&digest, "EVP_Digest"},
      {(void **)&fetch, "EVP_MD_fetch"},           {(void **)&mac, "EVP_Q_mac"},
      {(void **)&make_context, "OSSL_LIB_CTX_new"}, {(void **)&random_bytes, "RAND_bytes_ex"},
      {(void **)&initialize, "OPENSSL_init_crypto"},
  };
  for (size_t index = 0; index < sizeof functions / sizeof *functions; ++index) {
    *functions[index].function = dlsym(library, functions[index].name);
    if (!*functions[index].function) return last_error();
  }
  // Its cleanup at exit would free memory that running threads still use.
  if (initialize(OPENSSL_INIT_NO_ATEXIT, NULL) != 1) return "it cannot be initialized";
  context = make_context();
  sha256 = context ? fetch(context, "SHA256", NULL) : NULL;
  return sha256 ? NULL : "it has no SHA-256, or too little memory";
}

bool crypto_sha256(const void *bytes, size_t count, unsigned char *hash) {
  return digest(bytes, count, hash, NULL, sha256, NULL) == 1;
}

bool crypto_hmac_sha256(const void *key, size_t key_count, const void *bytes, size_t count, unsigned char *code) {
  return mac(context, "HMAC", NULL, "SHA256", NULL, key, key_count, bytes, count, code, crypto_sha256_size, NULL) != NULL;
}

bool crypto_hmac_sha1(const void *key, size_t key_count, const void *bytes, size_t count, unsigned char *code) {
  return mac(context, "HMAC", NULL, "SHA1", NULL, key, key_count, bytes, count, code, crypto_sha1_size, NULL) != NULL;
}

bool crypto_random(void *bytes, size_t count) { return random_bytes(context, bytes, count, 0) == 1; }

bool crypto_is_equal(const void *first, const void *second, size_t count) { return compare(first, second, count) == 0; }
