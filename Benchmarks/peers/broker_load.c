// Puts the load of router_load.c on broker.c: broker_load SOCKET REQUESTERS SURFACES COUNT
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "report.h"

static int open_connection(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  int connection = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(connection, (struct sockaddr *)&address, sizeof address)) die(path);
  return connection;
}

static void say(int connection, const char *text, int length) {
  if (send(connection, text, length, MSG_NOSIGNAL) != length) die("send");
}

int main(int argc, char **argv) {
  if (argc != 5) return fprintf(stderr, "broker_load SOCKET REQUESTERS SURFACES COUNT\n"), 64;
  int requesters = atoi(argv[2]), surfaces = atoi(argv[3]), poll = epoll_create1(0);
  long warm_up = atol(argv[4]) / 10, count = atol(argv[4]), sent = 0, done = 0;
  int *sockets = calloc(requesters + surfaces, sizeof *sockets);
  double *since = calloc(requesters, sizeof *since), *latencies = calloc(count, sizeof *latencies), start = 0;
  char line[4096];
  for (int i = 0; i < requesters + surfaces; i++) {
    sockets[i] = open_connection(argv[1]);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = i};
    epoll_ctl(poll, EPOLL_CTL_ADD, sockets[i], &event);
    if (i >= requesters) say(sockets[i], line, sprintf(line, "P s%d\n", i - requesters));
  }
  for (int i = 0; i < requesters; i++) {
    since[i] = now();
    sent++;
    say(sockets[i], line, sprintf(line, "A s%d\n", i % surfaces));
  }
  struct epoll_event events[256];
  while (done < warm_up + count) {
    int ready = epoll_wait(poll, events, 256, -1);
    for (int e = 0; e < ready; e++) {
      int i = events[e].data.u32;
      // A requester expects one line, a presenter one prompt, so each read returns a whole line.
      long length = recv(sockets[i], line, sizeof line - 1, 0);
      if (length <= 0) die("the broker is gone");
      line[length] = 0;
      if (i >= requesters) {
        char answer[64];
        say(sockets[i], answer, sprintf(answer, "Y %ld s%d\n", atol(line + 2), i - requesters));
        continue;
      }
      if (done >= warm_up && done < warm_up + count) latencies[done - warm_up] = now() - since[i];
      if (++done == warm_up) start = now();
      if (sent < warm_up + count) {
        sent++;
        since[i] = now();
        say(sockets[i], line, sprintf(line, "A s%d\n", i % surfaces));
      }
    }
  }
  report(latencies, count, now() - start);
}
