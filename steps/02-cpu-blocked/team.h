/* SPDX-License-Identifier: MIT */
/** @file team.h
 * Threads that share the work of one call, piece by piece.
 *
 * Each thread takes the next piece when it has finished one. Nobody waits for a thread, only
 * for pieces: a helper that the system wakes late finds less to do, or nothing, and the call
 * returns without it. OpenMP's parallel region ends when all its threads have come, and a
 * thread that waits there spins for milliseconds, on a core that the late one may need.
 */
#ifndef STEPS_02_CPU_BLOCKED_TEAM_H
#define STEPS_02_CPU_BLOCKED_TEAM_H

#include <stdatomic.h>
#include <stddef.h>

/** Pieces are numbered through all rounds. Each count has a separate cache line. */
struct tickets {
    _Alignas(64) atomic_long taken;
    _Alignas(64) atomic_long done;
};

/** One thread's way through a job's rounds: all threads of a job go through the same rounds. */
struct member {
    struct tickets *tickets;
    long round; /**< the first ticket of the round it is in */
};

/** What every thread of a team runs. `what` is a copy, which lives as long as the thread needs
 * it; what it points to may be gone when there are no pieces left. */
typedef void team_job(struct member *member, const void *what);

/** Runs a job on up to `threads` threads, this one among them; returns when all pieces of all
 * rounds are done. While another thread of the program runs a job, this one works alone. */
void team_run(int threads, team_job *job, const void *what, size_t bytes);

/** The next piece of a round of `count` pieces, or -1 if all are taken: the round is over
 * for this thread. team_finish() follows each piece. */
long team_take(struct member *member, long pieces);
void team_finish(struct member *member);

/** Returns when all pieces of the rounds so far are done. */
void team_wait(const struct member *member);

/** Runs `piece(i, what)` for every i below `count`: a round that is a separate job. */
void team_for(int threads, long count, void (*piece)(long i, const void *what),
              const void *what, size_t bytes);

#endif
