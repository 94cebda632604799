/* SPDX-License-Identifier: MIT */
/** @file watch.h
 * How schedule.c sees a step at work without a word in the step's source: after each call that
 * may have changed memory watch() is called. On the processor these are all functions of
 * the step (hook_cpu.c, by the compiler's -finstrument-functions); on the simulated GPU,
 * launches and calls of cuBLAS (hook_sim.c, by the linker's --wrap).
 */
#ifndef TOOLS_DRAW_WATCH_H
#define TOOLS_DRAW_WATCH_H

#ifdef __cplusplus
extern "C" {
#endif

/** A call has returned. name: the kernel's or the library function's, "" if unknown. */
void watch(const char *name);

#ifdef __cplusplus
}
#endif
#endif
