/// What Swift's runtime calls, where it is set, for each task that is ready to run somewhere (ConcurrencyHooks.h of Swift).
#ifndef CSWIFTTASKS_SHIM_H
#define CSWIFTTASKS_SHIM_H

extern const void *swift_task_enqueueGlobal_hook;

static inline void cswifttasks_set_enqueue(const void *function) { swift_task_enqueueGlobal_hook = function; }

#endif
