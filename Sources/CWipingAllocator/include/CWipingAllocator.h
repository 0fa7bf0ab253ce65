// Replaces free(3) and realloc(3) of the program that it is linked into: memory is overwritten before it is freed.
//
// A sensitive answer passes through a dozen strings, arrays and buffers of Swift, NIO and Router on its way to its requester.
// Wiping each by hand would miss those that the libraries make. M_PERTURB of mallopt(3) skips small blocks.
//
// What stays: the last answer of an open flow; the kernel's socket buffers until they are read; and a core dump taken while
// an answer is under way.
#pragma once

// Overwrites the part of the calling thread's stack below the caller. Swift stores a text of up to 15 bytes in place and so
// copies it to stacks.
void wipe_dead_stack(void);
