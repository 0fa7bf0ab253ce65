// The smallest broker with the same guarantees: broker record|turn|overlap SOCKET DATABASE
//
// A request is recorded before it is shown, an answer before it is reported; one prompt at a time per surface.
//   record   one transaction per record
//   turn     one transaction per turn of the event loop
//   overlap  one transaction for all waiting records, on another thread; the next recorded prompt is shown meanwhile
//
// Lines over a Unix socket. "A surface" asks and gets "R" when answered; "P surface" presents, gets "S id text" and gives "Y id".
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "record.h"
#include "report.h"

enum { CONNECTIONS = 70000, SURFACES = 4096, LINE = 128 };

struct request {
  long id;
  int asker, surface, is_answer;
  struct request *next;
};
struct queue {
  struct request *first, **last;
};
static struct surface {
  char name[32];
  int presenter;
  struct request *shown;
  struct queue waiting;
} surfaces[SURFACES];
static struct connection {
  char line[LINE];
  int length;
} connections[CONNECTIONS];
static int surface_count;
static long last_id;
static enum { RECORD, TURN, OVERLAP } mode;

static void put(struct queue *queue, struct request *request) {
  if (!queue->first) queue->last = &queue->first;
  request->next = NULL;
  *queue->last = request;
  queue->last = &request->next;
}

static struct request *take(struct queue *queue) {
  struct request *request = queue->first;
  if (request) queue->first = request->next;
  return request;
}

static int surface(const char *name) {
  for (int i = 0; i < surface_count; i++)
    if (!strcmp(surfaces[i].name, name)) return i;
  if (surface_count == SURFACES) exit(1);
  strncpy(surfaces[surface_count].name, name, sizeof surfaces->name - 1);
  return surface_count++;
}

static void say(int connection, const char *text, int length) {
  if (send(connection, text, length, MSG_NOSIGNAL) != length) perror("send");
}

static void show(struct surface *surface) {
  if (surface->shown || !surface->presenter || !(surface->shown = take(&surface->waiting))) return;
  char line[1024];
  say(surface->presenter, line, snprintf(line, sizeof line, "S %ld %s\n", surface->shown->id, record_text));
}

// Acts on a recorded request or answer.
static void act(struct request *request) {
  struct surface *surface = &surfaces[request->surface];
  if (!request->is_answer) {
    put(&surface->waiting, request);
  } else {
    say(request->asker, "R\n", 2);
    if (mode != OVERLAP) surface->shown = NULL;
    free(request);
  }
  show(surface);
}

static void record(struct request *request) {
  if (request->is_answer)
    record_answer(request->id);
  else
    record_request(request->id, surfaces[request->surface].name);
}

// Requests waiting to be recorded, and in OVERLAP mode recorded ones waiting to be acted on.
static struct queue unrecorded, recorded;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int bell;

static void commit(struct queue *queue, struct queue *done) {
  if (!queue->first) return;
  record_begin();
  struct request *request;
  while ((request = take(queue))) {
    record(request);
    put(done, request);
  }
  record_commit();
}

static void *write_records(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  while (1) {
    while (!unrecorded.first) pthread_cond_wait(&changed, &lock);
    struct queue batch = {0}, done = {0};
    struct request *request;
    while ((request = take(&unrecorded))) put(&batch, request);
    pthread_mutex_unlock(&lock);
    commit(&batch, &done);
    pthread_mutex_lock(&lock);
    while ((request = take(&done))) put(&recorded, request);
    eventfd_write(bell, 1);
  }
  return NULL;
}

static void decide(struct request *request) {
  if (mode == OVERLAP) {
    pthread_mutex_lock(&lock);
    put(&unrecorded, request);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return;
  }
  put(&unrecorded, request);
}

static void end_turn(void) {
  struct queue done = {0};
  struct request *request;
  if (mode == OVERLAP) {
    pthread_mutex_lock(&lock);
    done = recorded;
    if (done.first) done.last = recorded.last;
    recorded.first = NULL;
    pthread_mutex_unlock(&lock);
  } else {
    commit(&unrecorded, &done);
  }
  while ((request = take(&done))) act(request);
}

static void hear(int connection, char *line) {
  struct request *request;
  if (line[0] == 'A') {
    request = calloc(1, sizeof *request);
    *request = (struct request){++last_id, connection, surface(line + 2), 0, NULL};
    decide(request);
  } else if (line[0] == 'P') {
    struct surface *watched = &surfaces[surface(line + 2)];
    watched->presenter = connection;
    show(watched);
  } else if (line[0] == 'Y') {
    // "Y id surface": only the shown prompt can be answered.
    char *name = NULL;
    long id = strtol(line + 2, &name, 10);
    struct surface *answered = &surfaces[surface(name + 1)];
    request = answered->shown;
    if (!request || request->id != id || request->is_answer) return;
    request->is_answer = 1;
    if (mode == OVERLAP) answered->shown = NULL;
    decide(request);
    if (mode == OVERLAP) show(answered);
  }
  if (mode == RECORD) end_turn();
}

static void receive(int descriptor) {
  struct connection *connection = &connections[descriptor];
  int count = recv(descriptor, connection->line + connection->length, LINE - 1 - connection->length, MSG_DONTWAIT);
  if (count <= 0) {
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    for (int i = 0; i < surface_count; i++)
      if (surfaces[i].presenter == descriptor) surfaces[i].presenter = 0;
    close(descriptor);
    connection->length = 0;
    return;
  }
  connection->length += count;
  char *start = connection->line, *end;
  while ((end = memchr(start, '\n', connection->line + connection->length - start))) {
    *end = 0;
    hear(descriptor, start);
    start = end + 1;
  }
  connection->length -= start - connection->line;
  memmove(connection->line, start, connection->length);
}

int main(int argc, char **argv) {
  if (argc != 4) return fprintf(stderr, "broker record|turn|overlap SOCKET DATABASE\n"), 64;
  mode = !strcmp(argv[1], "record") ? RECORD : !strcmp(argv[1], "turn") ? TURN : OVERLAP;
  record_open(argv[3]);
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, argv[2], sizeof address.sun_path - 1);
  int listener = socket(AF_UNIX, SOCK_STREAM, 0), poll = epoll_create1(0);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 4096)) die(argv[2]);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[256];
  epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);
  event.data.fd = bell = eventfd(0, EFD_NONBLOCK);
  epoll_ctl(poll, EPOLL_CTL_ADD, bell, &event);
  pthread_t writer;
  if (mode == OVERLAP) pthread_create(&writer, NULL, write_records, NULL);
  while (1) {
    int count = epoll_wait(poll, events, 256, -1);
    for (int i = 0; i < count; i++) {
      int ready = events[i].data.fd;
      if (ready == bell) {
        eventfd_t rings;
        eventfd_read(bell, &rings);
      } else if (ready == listener) {
        event.data.fd = accept(listener, NULL, NULL);
        if (event.data.fd >= 0 && event.data.fd < CONNECTIONS) epoll_ctl(poll, EPOLL_CTL_ADD, event.data.fd, &event);
      } else {
        receive(ready);
      }
    }
    end_turn();
  }
}
