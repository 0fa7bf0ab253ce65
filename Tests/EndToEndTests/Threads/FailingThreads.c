// Makes pthread_create(3) fail with EAGAIN while the file $ROUTER_FAILING_THREADS exists, as beyond RLIMIT_NPROC.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *context) {
  const char *path = getenv("ROUTER_FAILING_THREADS");
  if (path && access(path, F_OK) == 0) return EAGAIN;
  int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = dlsym(RTLD_NEXT, "pthread_create");
  return next(thread, attributes, body, context);
}
