// Lower bounds of the machine: floors FLOOR COUNT DIRECTORY
//   fdatasync     append 256 bytes to a file and flush
//   sqlite        one transaction of two rows, synchronous=FULL, in the write-ahead log
//   sqlite-group  the same two rows for each of 64 callers in one transaction: the limit of group commit
//   ping-pong     a byte to another process and back over a Unix socket
#include <fcntl.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "record.h"
#include "report.h"

enum { CALLERS = 64 };

int main(int argc, char **argv) {
  if (argc != 4) return fprintf(stderr, "floors FLOOR COUNT DIRECTORY\n"), 64;
  const char *floor = argv[1];
  long count = atol(argv[2]);
  double *latencies = malloc(count * sizeof *latencies);
  if (chdir(argv[3])) die(argv[3]);
  double start;
  if (!strcmp(floor, "fdatasync")) {
    int file = open("floor.append", O_CREAT | O_TRUNC | O_WRONLY | O_APPEND, 0600);
    char bytes[256] = {0};
    start = now();
    for (long i = 0; i < count; i++) {
      double before = now();
      if (write(file, bytes, sizeof bytes) < 0 || fdatasync(file)) die("fdatasync");
      latencies[i] = now() - before;
    }
  } else if (!strncmp(floor, "sqlite", 6)) {
    long callers = strcmp(floor, "sqlite") ? CALLERS : 1;
    unlink("floor.db"), unlink("floor.db-wal"), unlink("floor.db-shm");
    record_open("floor.db");
    start = now();
    for (long i = 0; i < count; i += callers) {
      double before = now();
      record_begin();
      for (long caller = 0; caller < callers; caller++) record_request(i + caller + 1, "main");
      record_commit();
      for (long caller = 0; caller < callers && i + caller < count; caller++) latencies[i + caller] = now() - before;
    }
  } else if (!strcmp(floor, "ping-pong")) {
    int ends[2];
    char byte = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) die("socketpair");
    if (fork() == 0) {
      close(ends[0]);
      while (read(ends[1], &byte, 1) == 1 && write(ends[1], &byte, 1) == 1) {}
      _exit(0);
    }
    close(ends[1]);
    start = now();
    for (long i = 0; i < count; i++) {
      double before = now();
      if (write(ends[0], &byte, 1) != 1 || read(ends[0], &byte, 1) != 1) die("ping-pong");
      latencies[i] = now() - before;
    }
  } else {
    return fprintf(stderr, "there is no floor %s\n", floor), 64;
  }
  report(latencies, count, now() - start);
}
