// Replaces free(3) and realloc(3) of the program that it is linked into: memory is overwritten before it is freed.
//
// A sensitive answer passes through a dozen strings, arrays and buffers of Swift, NIO and Router on its way to its requester.
// Wiping each by hand would miss those that the libraries make. M_PERTURB of mallopt(3) skips small blocks.
//
// What stays: texts of up to 15 bytes, which Swift stores in place and copies to stacks; the last answer of an open flow; the
// kernel's socket buffers until they are read; and a core dump taken while an answer is under way.
#pragma once
