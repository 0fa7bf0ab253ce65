// A minimal record of a presentation: an event row, and the presentation's row.
#ifndef RECORD_H
#define RECORD_H
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "text.h"

static sqlite3 *record_database;
static sqlite3_stmt *record_event, *record_insert, *record_update, *record_first, *record_last;

static void record_check(int code, const char *what) {
  if (code == SQLITE_OK || code == SQLITE_DONE) return;
  fprintf(stderr, "%s: %s\n", what, sqlite3_errmsg(record_database));
  exit(1);
}

static sqlite3_stmt *record_prepare(const char *sql) {
  sqlite3_stmt *statement;
  record_check(sqlite3_prepare_v3(record_database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL), sql);
  return statement;
}

static void record_step(sqlite3_stmt *statement) {
  record_check(sqlite3_step(statement), sqlite3_sql(statement));
  sqlite3_reset(statement);
}

static void record_open(const char *path) {
  record_check(sqlite3_open(path, &record_database), path);
  record_check(
      sqlite3_exec(
          record_database,
          "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
          "CREATE TABLE events (seq INTEGER PRIMARY KEY, at REAL, type TEXT, presentation INTEGER, detail TEXT);"
          "CREATE TABLE presentations (id INTEGER PRIMARY KEY, surface TEXT, request TEXT, answer TEXT)",
          NULL, NULL, NULL),
      "open");
  record_event = record_prepare("INSERT INTO events (at, type, presentation, detail) VALUES (julianday(), ?, ?, ?)");
  record_insert = record_prepare("INSERT INTO presentations (id, surface, request) VALUES (?, ?, ?)");
  record_update = record_prepare("UPDATE presentations SET answer = 'deploy' WHERE id = ?");
  record_first = record_prepare("BEGIN IMMEDIATE");
  record_last = record_prepare("COMMIT");
}

static void record_begin(void) { record_step(record_first); }
static void record_commit(void) { record_step(record_last); }

static void record_one(long id, const char *type, const char *detail) {
  sqlite3_bind_text(record_event, 1, type, -1, SQLITE_STATIC);
  sqlite3_bind_int64(record_event, 2, id);
  sqlite3_bind_text(record_event, 3, detail, -1, SQLITE_STATIC);
  record_step(record_event);
}

static void record_request(long id, const char *surface) {
  record_one(id, "requested", record_text);
  sqlite3_bind_int64(record_insert, 1, id);
  sqlite3_bind_text(record_insert, 2, surface, -1, SQLITE_STATIC);
  sqlite3_bind_text(record_insert, 3, record_text, -1, SQLITE_STATIC);
  record_step(record_insert);
}

static inline void record_answer(long id) {
  record_one(id, "answered", "deploy");
  sqlite3_bind_int64(record_update, 1, id);
  record_step(record_update);
}
#endif
