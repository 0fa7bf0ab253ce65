// Holds waiting requesters: hold SOCKET CONNECTIONS REQUEST
//
// Opens CONNECTIONS connections, sends the file REQUEST on each, prints "held", and closes them at the end of its input.
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "report.h"

int main(int argc, char **argv) {
  if (argc != 4) return fprintf(stderr, "hold SOCKET CONNECTIONS REQUEST\n"), 64;
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  char request[4096];
  int file = open(argv[3], O_RDONLY), length = read(file, request, sizeof request);
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, argv[1], sizeof address.sun_path - 1);
  if (length <= 0) die(argv[3]);
  for (long i = 0; i < atol(argv[2]); i++) {
    int connection = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connection < 0 || connect(connection, (struct sockaddr *)&address, sizeof address)) die("connect");
    if (send(connection, request, length, MSG_NOSIGNAL) != length) die("send");
  }
  printf("held\n");
  fflush(stdout);
  while (read(0, request, sizeof request) > 0) {}
}
