/// The system's SQLite. Only `static inline` functions may stand here beside it: this is a system-library target, nothing in it is
/// compiled by itself.
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

/// Turns off the statistics of SQLite's memory, whose lock every allocation would take. Swift cannot call variadic functions.
static inline int sqlite3_config_without_memory_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

#endif
