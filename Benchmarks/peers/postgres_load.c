// The same job over a table in PostgreSQL: postgres_load CONNINFO REQUESTERS SURFACES COUNT
//
// A requester inserts its request and notifies the surface. The presenter takes the first one with SKIP LOCKED, shows it for the
// length of that transaction, and notifies the requester with its answer. Each is a thread that waits in poll(2).
#include <libpq-fe.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>

#include "report.h"

static const char *conninfo;
static int surfaces;
static long warm_up, count, sent, done;
static double start, *latencies;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static PGresult *run(PGconn *connection, const char *sql) {
  PGresult *result = PQexec(connection, sql);
  ExecStatusType status = PQresultStatus(result);
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
    fprintf(stderr, "%s: %s", sql, PQerrorMessage(connection));
    exit(1);
  }
  return result;
}

static PGconn *open_connection(const char *sql) {
  PGconn *connection = PQconnectdb(conninfo);
  if (PQstatus(connection) != CONNECTION_OK) {
    fprintf(stderr, "%s", PQerrorMessage(connection));
    exit(1);
  }
  PQclear(run(connection, sql));
  return connection;
}

static void await_notice(PGconn *connection) {
  PGnotify *notice;
  while (!(notice = PQnotifies(connection))) {
    struct pollfd ready = {.fd = PQsocket(connection), .events = POLLIN};
    poll(&ready, 1, -1);
    if (!PQconsumeInput(connection)) exit(1);
  }
  PQfreemem(notice);
}

static void *request(void *context) {
  long number = (long)context;
  char sql[512];
  sprintf(sql, "LISTEN answer_%ld", number);
  PGconn *connection = open_connection(sql);
  while (1) {
    pthread_mutex_lock(&lock);
    int is_over = sent == warm_up + count;
    if (!is_over) sent++;
    pthread_mutex_unlock(&lock);
    if (is_over) return NULL;
    double since = now();
    sprintf(sql,
            "INSERT INTO presentations (surface, requester, request) VALUES (%ld, %ld, '{\"kind\":\"alert\",\"title\":"
            "\"Deploy 1.4.2 to production?\",\"message\":\"42 commits since the last release.\"}'); NOTIFY surface_%ld",
            number % surfaces, number, number % surfaces);
    PQclear(run(connection, sql));
    await_notice(connection);
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
  long number = (long)context;
  char sql[512], take[512];
  sprintf(sql, "LISTEN surface_%ld", number);
  PGconn *connection = open_connection(sql);
  sprintf(take,
          "BEGIN; SELECT id, requester FROM presentations WHERE surface = %ld AND answer IS NULL ORDER BY id LIMIT 1 FOR UPDATE "
          "SKIP LOCKED",
          number);
  while (1) {
    PGresult *shown = run(connection, take);
    if (PQntuples(shown) == 0) {
      PQclear(shown);
      PQclear(run(connection, "COMMIT"));
      await_notice(connection);
      continue;
    }
    sprintf(sql, "UPDATE presentations SET answer = 'deploy' WHERE id = %s; NOTIFY answer_%s; COMMIT", PQgetvalue(shown, 0, 0),
            PQgetvalue(shown, 0, 1));
    PQclear(shown);
    PQclear(run(connection, sql));
  }
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 5) return fprintf(stderr, "postgres_load CONNINFO REQUESTERS SURFACES COUNT\n"), 64;
  conninfo = argv[1], surfaces = atoi(argv[3]), count = atol(argv[4]), warm_up = count / 10;
  latencies = calloc(count, sizeof *latencies);
  PGconn *connection = open_connection(
      "SET client_min_messages = error; DROP TABLE IF EXISTS presentations; CREATE TABLE presentations (id BIGSERIAL PRIMARY KEY, "
      "surface INT, requester INT, request TEXT, answer TEXT, at TIMESTAMPTZ DEFAULT now()); CREATE INDEX waiting ON presentations "
      "(surface, id) WHERE answer IS NULL");
  PQfinish(connection);
  pthread_t thread;
  for (long i = 0; i < surfaces; i++) pthread_create(&thread, NULL, present, (void *)i);
  for (long i = 0; i < atol(argv[2]); i++) pthread_create(&thread, NULL, request, (void *)i);
  pthread_exit(NULL);
}
