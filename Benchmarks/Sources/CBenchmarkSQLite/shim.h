/// Imports the system's SQLite into Swift. Only `static inline` functions are allowed here, because nothing in a
/// system-library target is compiled by itself.
#ifndef CBENCHMARKSQLITE_SHIM_H
#define CBENCHMARKSQLITE_SHIM_H

#include <sqlite3.h>

/// Binds text and lets SQLite copy it. `SQLITE_TRANSIENT` is a cast of -1 to a function pointer, which Swift cannot import.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Binds bytes and lets SQLite copy them.
static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

#endif
