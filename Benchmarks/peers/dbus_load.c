// A method call through a bus, without a record: dbus_load ADDRESS COUNT
#include <dbus/dbus.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report.h"
#include "text.h"

static DBusConnection *open_connection(const char *address) {
  DBusError error;
  dbus_error_init(&error);
  DBusConnection *bus = dbus_connection_open_private(address, &error);
  if (!bus || !dbus_bus_register(bus, &error)) {
    fprintf(stderr, "%s\n", error.message);
    exit(1);
  }
  return bus;
}

static void serve(const char *address, int ready) {
  DBusConnection *bus = open_connection(address);
  dbus_bus_request_name(bus, "router.Peer", 0, NULL);
  if (write(ready, "", 1) != 1) exit(1);
  while (dbus_connection_read_write(bus, -1)) {
    DBusMessage *message;
    while ((message = dbus_connection_pop_message(bus))) {
      if (dbus_message_is_method_call(message, "router.Peer", "Ask")) {
        DBusMessage *answer = dbus_message_new_method_return(message);
        const char *button = "deploy";
        dbus_message_append_args(answer, DBUS_TYPE_STRING, &button, DBUS_TYPE_INVALID);
        dbus_connection_send(bus, answer, NULL);
        dbus_connection_flush(bus);
        dbus_message_unref(answer);
      }
      dbus_message_unref(message);
    }
  }
}

int main(int argc, char **argv) {
  if (argc != 3) return fprintf(stderr, "dbus_load ADDRESS COUNT\n"), 64;
  long count = atol(argv[2]), warm_up = count / 10;
  double *latencies = calloc(count, sizeof *latencies), start = 0;
  int ready[2];
  char byte;
  if (pipe(ready)) die("pipe");
  pid_t server = fork();
  if (server == 0) serve(argv[1], ready[1]), exit(0);
  if (read(ready[0], &byte, 1) != 1) die("the server");
  DBusConnection *bus = open_connection(argv[1]);
  dbus_connection_set_exit_on_disconnect(bus, FALSE);
  for (long i = 0; i < warm_up + count; i++) {
    if (i == warm_up) start = now();
    double since = now();
    DBusMessage *call = dbus_message_new_method_call("router.Peer", "/", "router.Peer", "Ask");
    dbus_message_append_args(call, DBUS_TYPE_STRING, &record_text, DBUS_TYPE_INVALID);
    DBusMessage *answer = dbus_connection_send_with_reply_and_block(bus, call, 5000, NULL);
    if (!answer) die("no answer");
    dbus_message_unref(call);
    dbus_message_unref(answer);
    if (i >= warm_up) latencies[i - warm_up] = now() - since;
  }
  report(latencies, count, now() - start);
  kill(server, SIGTERM);
  waitpid(server, NULL, 0);
}
