// Puts a load on routerd or a service with its protocol: router_load SOCKET[,SOCKET…] REQUESTERS SURFACES COUNT [OPTION…]
//
// Each requester asks over one keep-alive connection, and asks again when it has its answer. Each surface has a presenter: an event
// stream, which answers with POST over a free connection. With "detached" nobody presents, and the time until a request is recorded
// is measured. With "keyed", each request has an Idempotency-Key. With "acts", each has an act that no other has, whose answer may be
// remembered; with "remember", it is remembered for the session. Another option is the load's name. A tenth of COUNT runs first as an
// unmeasured warm-up.
//
// Responses are assumed to be well formed. The daemon sends each event as one chunk, so events are found without reading the
// chunks' sizes.
//
// Several sockets are those of daemons that share the surfaces load-NAME-0, load-NAME-1 and so on. Presenters and requesters are
// spread evenly over the daemons; of every other DAEMONS surfaces, the requester is on another daemon than the presenter.
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "report.h"
#include "text.h"

enum role { REQUESTER, STREAM, ANSWERS };

struct connection {
  const char *path;
  enum role role;
  int socket, surface, is_busy;
  double since;
  char *bytes;
  size_t length, capacity;
};

static const char *paths[16];
static int poll_descriptor, connection_count, has_acts, is_remembered;
static struct connection **connections;

// A blocking connect(2) waits for room in the listener's backlog, so a slow daemon does not look like a missing one.
static void open_socket(struct connection *connection, int index) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, connection->path, sizeof address.sun_path - 1);
  connection->socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connect(connection->socket, (struct sockaddr *)&address, sizeof address)) die(connection->path);
  struct epoll_event event = {.events = EPOLLIN, .data.u32 = index};
  if (epoll_ctl(poll_descriptor, EPOLL_CTL_ADD, connection->socket, &event)) die("epoll_ctl");
}

static void reopen(struct connection *connection, int index) {
  close(connection->socket);
  open_socket(connection, index);
}

static struct connection *open_connection(enum role role, int surface, const char *path) {
  struct connection *connection = calloc(1, sizeof *connection);
  *connection = (struct connection){.path = path, .role = role, .surface = surface, .capacity = 1 << 16, .bytes = malloc(1 << 16)};
  open_socket(connection, connection_count);
  connections = realloc(connections, (connection_count + 1) * sizeof *connections);
  return connections[connection_count++] = connection;
}

// A request is far smaller than a socket's buffer.
static void say(struct connection *connection, const char *text, int length) {
  connection->is_busy = 1;
  if (send(connection->socket, text, length, MSG_NOSIGNAL) != length) die("send");
}

static void fail(const char *what, const struct connection *connection) {
  fprintf(stderr, "%s: %.*s\n", what, (int)connection->length, connection->bytes);
  exit(1);
}

static void post(struct connection *connection, const char *target, const char *fields, const char *body) {
  char text[4096];
  connection->since = now();
  say(connection, text,
      snprintf(text, sizeof text, "POST %s HTTP/1.1\r\nHost: l\r\n%sContent-Length: %zu\r\n\r\n%s", target, fields, strlen(body), body));
}

// With a key, the requester could ask again after a lost connection, as Router's own client does.
static void request(struct connection *connection, int is_detached, int is_keyed, long number, const char *body) {
  char fields[128] = "";
  int length = is_detached ? snprintf(fields, sizeof fields, "Prefer: respond-async\r\n") : 0;
  if (is_keyed) snprintf(fields + length, sizeof fields - length, "Idempotency-Key: %d-%ld\r\n", (int)getpid(), number);
  char text[2048];
  if (has_acts) {
    snprintf(text, sizeof text, "{\"act\":{\"verb\":\"load\",\"object\":\"%d-%ld\"},\"remember\":{\"for\":[\"session\"]},%s", (int)getpid(), number,
             body + 1);
    body = text;
  }
  post(connection, "/v1/presentations", fields, body);
}

// Answers the prompt of an event over a separate connection: the next prompt may come before this answer's reply.
static void answer(const struct connection *stream, const char *event) {
  const char *id = strstr(event, "\"id\":"), *generation = strstr(event, "\"generation\":");
  if (!id || !generation || !(id = strchr(id + 5, '"'))) fail("no presentation", stream);
  char target[128], body[128];
  snprintf(target, sizeof target, "/v1/presentations/%.36s/answer", id + 1);
  // A destructive answer cannot be remembered.
  const char *choice = is_remembered ? "\"later\",\"remember\":{\"for\":\"session\"}" : "\"deploy\"";
  snprintf(body, sizeof body, "{\"button\":%s,\"generation\":%ld}", choice, atol(generation + 13));
  for (int i = 0; i < connection_count; i++) {
    if (connections[i]->role != ANSWERS || connections[i]->is_busy || connections[i]->path != stream->path) continue;
    // Skips a connection that the daemon may be closing.
    if (now() - connections[i]->since > 10) reopen(connections[i], i);
    return post(connections[i], target, "", body);
  }
  post(open_connection(ANSWERS, 0, stream->path), target, "", body);
}

// Answers the received prompts, and keeps the incomplete rest.
static void take_events(struct connection *stream) {
  char *start = stream->bytes, *end;
  while ((end = strstr(start, "\n\n"))) {
    *end = 0;
    char *event = strstr(start, "event: present\n");
    if (event) answer(stream, event);
    start = end + 2;
  }
  stream->length -= start - stream->bytes;
  memmove(stream->bytes, start, stream->length + 1);
}

// Consumes a reply and returns true if it is complete.
static int take_reply(struct connection *connection) {
  char *body = strstr(connection->bytes, "\r\n\r\n");
  if (!body) return 0;
  char *field = strcasestr(connection->bytes, "\r\ncontent-length:");
  size_t length = field && field < body ? strtoul(field + 17, NULL, 10) : 0;
  if ((size_t)(connection->bytes + connection->length - body - 4) < length) return 0;
  if (connection->length < 10 || connection->bytes[9] != '2') fail("refused", connection);
  connection->length = connection->is_busy = 0;
  return 1;
}

// Reads received data. The daemon may close an idle connection after a while; it is opened again.
static int receive(struct connection *connection, int index) {
  if (connection->capacity - connection->length < 4096)
    connection->bytes = realloc(connection->bytes, connection->capacity *= 2);
  ssize_t count = recv(connection->socket, connection->bytes + connection->length, connection->capacity - connection->length - 1, 0);
  if (count <= 0) {
    if (count < 0 && errno == EINTR) return 0;
    if (connection->is_busy) die("the daemon has closed a connection");
    reopen(connection, index);
    return 0;
  }
  connection->length += count;
  connection->bytes[connection->length] = 0;
  return 1;
}

int main(int argc, char **argv) {
  if (argc < 5)
    return fprintf(stderr, "router_load SOCKET[,SOCKET...] REQUESTERS SURFACES COUNT [detached] [keyed] [acts] [remember] [NAME]\n"), 64;
  int daemons = 0;
  for (char *path = strtok(argv[1], ","); path && daemons < 16; path = strtok(NULL, ",")) paths[daemons++] = path;
  int requesters = atoi(argv[2]), surfaces = atoi(argv[3]), is_detached = 0, is_keyed = 0;
  // The process id keeps concurrent loads from answering each other's prompts.
  char name[64];
  snprintf(name, sizeof name, "%d", (int)getpid());
  for (int i = 5; i < argc; i++) {
    if (!strcmp(argv[i], "detached")) is_detached = 1;
    else if (!strcmp(argv[i], "keyed")) is_keyed = 1;
    else if (!strcmp(argv[i], "acts")) has_acts = 1;
    else if (!strcmp(argv[i], "remember")) is_remembered = 1;
    else snprintf(name, sizeof name, "%s", argv[i]);
  }
  long count = atol(argv[4]), warm_up = count / 10, all = warm_up + count, sent = 0, done = 0, answered = 0;
  double start = now(), *latencies = calloc(count, sizeof *latencies);
  poll_descriptor = epoll_create1(EPOLL_CLOEXEC);
  char **bodies = calloc(surfaces, sizeof *bodies), text[1024];
  int attached = is_detached ? surfaces : 0, is_begun = 0;
  for (int i = 0; i < surfaces; i++) {
    snprintf(text, sizeof text, "{\"app\":\"router-load\",\"surface\":\"load-%s-%d\",%s", name, i, record_text + 1);
    bodies[i] = strdup(text);
    if (is_detached) continue;
    say(open_connection(STREAM, i, paths[i % daemons]), text,
        snprintf(text, sizeof text, "GET /v1/surfaces/load-%s-%d/stream?name=load HTTP/1.1\r\nHost: l\r\nAccept: text/event-stream\r\n\r\n",
                 name, i));
  }
  int first_requester = connection_count;
  for (int i = 0; i < requesters; i++) open_connection(REQUESTER, i % surfaces, paths[(i + (i / daemons % 2 == 0)) % daemons]);
  struct epoll_event events[256];
  while (done < all || (!is_detached && answered < all)) {
    if (attached == surfaces && !is_begun) {
      is_begun = 1;
      start = now();
      for (int i = 0; i < requesters && sent < all; i++, sent++) {
        struct connection *connection = connections[first_requester + i];
        request(connection, is_detached, is_keyed, sent, bodies[connection->surface]);
      }
    }
    int ready = epoll_wait(poll_descriptor, events, 256, -1);
    for (int e = 0; e < ready; e++) {
      int index = events[e].data.u32;
      struct connection *connection = connections[index];
      if (!receive(connection, index)) continue;
      if (connection->role == STREAM) {
        // The first event confirms that the presenter is recorded.
        if (connection->is_busy == 1 && strstr(connection->bytes, "\n\n")) {
          connection->is_busy = 2;
          attached++;
        }
        take_events(connection);
        continue;
      }
      if (!take_reply(connection)) continue;
      if (connection->role == ANSWERS) {
        answered++;
        continue;
      }
      if (done >= warm_up) latencies[done - warm_up] = now() - connection->since;
      if (++done == warm_up) start = now();
      if (sent == all) continue;
      sent++;
      request(connection, is_detached, is_keyed, sent, bodies[connection->surface]);
    }
  }
  report(latencies, count, now() - start);
}
