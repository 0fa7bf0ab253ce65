/// What Swift's runtime calls, where it is set, for each task that is ready to run somewhere (ConcurrencyHooks.h of Swift), and what
/// runs one (Concurrency.h).
#ifndef CSWIFTTASKS_SHIM_H
#define CSWIFTTASKS_SHIM_H

#include <stdint.h>

extern const void *swift_task_enqueueGlobal_hook;

static inline void cswifttasks_set_enqueue(const void *function) { swift_task_enqueueGlobal_hook = function; }

/// `swift_job_run(Job *, SerialExecutorRef)`, the second as its two words.
__attribute__((swiftcall)) void swift_job_run(void *job, void *executor, uintptr_t implementation);

/// Runs a job here, on the global executor, which is all zero.
static inline void cswifttasks_run(void *job) { swift_job_run(job, 0, 0); }

#endif
