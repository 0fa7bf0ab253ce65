// The same job over Redis lists: redis_load SOCKET REQUESTERS SURFACES COUNT
//
// A requester pushes its request to the surface's list and waits on its own list; a presenter waits on the surface's list, and
// pushes the answer to the requester's. Each is a thread that blocks in the kernel; related commands go in one write.
#include <hiredis/hiredis.h>
#include <pthread.h>
#include <string.h>

#include "report.h"
#include "text.h"

static const char *path;
static int surfaces;
static long warm_up, count, sent, done;
static double start, *latencies;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static redisContext *open_connection(void) {
  redisContext *redis = redisConnectUnix(path);
  if (!redis || redis->err) die(redis ? redis->errstr : path);
  return redis;
}

static redisReply *reply(redisContext *redis) {
  void *reply;
  if (redisGetReply(redis, &reply) != REDIS_OK) die(redis->errstr);
  if (((redisReply *)reply)->type == REDIS_REPLY_ERROR) die(((redisReply *)reply)->str);
  return reply;
}

static void *request(void *context) {
  long number = (long)context;
  redisContext *redis = open_connection();
  while (1) {
    pthread_mutex_lock(&lock);
    int is_over = sent == warm_up + count;
    if (!is_over) sent++;
    pthread_mutex_unlock(&lock);
    if (is_over) return NULL;
    double since = now();
    redisAppendCommand(redis, "RPUSH surface:%ld %ld:%s", number % surfaces, number, record_text);
    redisAppendCommand(redis, "BLPOP answer:%ld 0", number);
    freeReplyObject(reply(redis));
    freeReplyObject(reply(redis));
    double until = now();
    pthread_mutex_lock(&lock);
    if (done >= warm_up) latencies[done - warm_up] = until - since;
    if (++done == warm_up) start = until;
    if (done == warm_up + count) {
      report(latencies, count, until - start);
      exit(0);
    }
    pthread_mutex_unlock(&lock);
  }
}

static void *present(void *context) {
  redisContext *redis = open_connection();
  redisAppendCommand(redis, "BLPOP surface:%ld 0", (long)context);
  while (1) {
    redisReply *shown = reply(redis);
    long number = atol(shown->element[1]->str);
    freeReplyObject(shown);
    redisAppendCommand(redis, "RPUSH answer:%ld deploy", number);
    redisAppendCommand(redis, "BLPOP surface:%ld 0", (long)context);
    freeReplyObject(reply(redis));
  }
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 5) return fprintf(stderr, "redis_load SOCKET REQUESTERS SURFACES COUNT\n"), 64;
  path = argv[1], surfaces = atoi(argv[3]), count = atol(argv[4]), warm_up = count / 10;
  latencies = calloc(count, sizeof *latencies);
  pthread_t thread;
  for (long i = 0; i < surfaces; i++) pthread_create(&thread, NULL, present, (void *)i);
  for (long i = 0; i < atol(argv[2]); i++) pthread_create(&thread, NULL, request, (void *)i);
  pthread_exit(NULL);
}
