// A client that sends the request in a file and then becomes another program, or deletes its own file first.
//
//   connector SOCKET REQUEST            connects, sends and waits
//   connector SOCKET REQUEST PROGRAM    connects, sends and executes PROGRAM at once
//   connector SOCKET REQUEST -          deletes its file, connects, sends and waits
//   connector wait                      says so and waits; the connection stays open
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static char request[65536];

int main(int count, char **arguments) {
  if (count >= 3) {
    int file = open(arguments[2], O_RDONLY);
    ssize_t length = read(file, request, sizeof request);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, arguments[1], sizeof address.sun_path - 1);
    int connection = socket(AF_UNIX, SOCK_STREAM, 0);
    if (count > 3 && strcmp(arguments[3], "-") == 0 && unlink(arguments[0]) != 0) return 3;
    if (length <= 0 || connect(connection, (struct sockaddr *)&address, sizeof address) != 0) return 1;
    if (write(connection, request, length) != length) return 2;
    if (count > 3 && strcmp(arguments[3], "-") != 0) {
      execl(arguments[3], arguments[3], "wait", NULL);
      return 4;
    }
  }
  puts("waiting");
  fflush(stdout);
  for (;;) pause();
}
