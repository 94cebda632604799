/* SPDX-License-Identifier: MIT */
/** @file lanes.cuh
 * Several streams at a time, and cuBLAS in them.
 */
#ifndef STEPS_18_MODERN_LANES_CUH
#define STEPS_18_MODERN_LANES_CUH

#include "context.cuh"

/// [lanes]
/** Streams beside the main one, and events that say when work on them is done. Blocks that are
 *  launched into the urgent one go before those of the others. */
enum { LANES = 2, URGENT = LANES, ALL_LANES };
struct lane {
    cudaStream_t stream;
    cudaEvent_t done;
};
struct lanes {
    struct lane lane[ALL_LANES];
    cudaEvent_t main_done;
};

static inline void make_lanes(const struct context *x, struct lanes *lanes)
{
    int least, greatest;
    GPU_CALL(x, cudaDeviceGetStreamPriorityRange(&least, &greatest));
    for (int i = 0; i < ALL_LANES; i++) {
        GPU_CALL(x, cudaStreamCreateWithPriority(&lanes->lane[i].stream, cudaStreamNonBlocking,
                                                 i == URGENT ? greatest : least));
        GPU_CALL(x, cudaEventCreateWithFlags(&lanes->lane[i].done, cudaEventDisableTiming));
    }
    GPU_CALL(x, cudaEventCreateWithFlags(&lanes->main_done, cudaEventDisableTiming));
}

/* The lanes begin when the main stream has come this far. */
static inline void fork_lanes(const struct context *x)
{
    GPU_CALL(x, cudaEventRecord(x->gpu->lanes->main_done, x->stream));
    for (int i = 0; i < ALL_LANES; i++)
        GPU_CALL(
            x, cudaStreamWaitEvent(x->gpu->lanes->lane[i].stream, x->gpu->lanes->main_done, 0));
}

/* The main stream goes on when the lanes are done. */
static inline void join_lanes(const struct context *x)
{
    for (int i = 0; i < ALL_LANES; i++) {
        const struct lane *lane = &x->gpu->lanes->lane[i];
        GPU_CALL(x, cudaEventRecord(lane->done, lane->stream));
        GPU_CALL(x, cudaStreamWaitEvent(x->stream, lane->done, 0));
    }
}
/// [lanes]

/// [cublas in lanes]
/* The context in lane i. With one workspace for streams that run at a time cuBLAS does not
   promise the same bits in each run. So each lane has one, `workspaces` being the beginning of
   them.
 */
static inline struct context context_in_lane(const struct context *x, int i, real *workspaces)
{
    struct context in_lane = *x;
    in_lane.stream = x->gpu->lanes->lane[i].stream;
    in_lane.leaf_workspace = i < LANES ? workspaces + i * CUBLAS_WORKSPACE : NULL;
    return in_lane;
}

/* Elements of all of them. */
enum { LANE_WORKSPACES = (int)LANES * (int)CUBLAS_WORKSPACE };
/// [cublas in lanes]

#endif
