/// The system's libpq, PostgreSQL's own client library.
#ifndef CPOSTGRESQL_SHIM_H
#define CPOSTGRESQL_SHIM_H

#include <libpq-fe.h>

#endif
