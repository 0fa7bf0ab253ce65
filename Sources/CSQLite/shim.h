/// The system's SQLite. Only `static inline` functions may stand here beside it: this is a system-library target, nothing in it is
/// compiled by itself.
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

#endif
