/**
 * @file lanes.cuh
 * Several streams at a time, and cuBLAS in them.
 */
#ifndef LADDER_LANES_CUH
#define LADDER_LANES_CUH

#include "common/cublas.h"
#include "common/gpu.h"

/** The stream that this step launches everything into; 0 until a variant uses several. */
static cudaStream_t stream;

/// [lanes]
/* Streams beside the main one, and events that say when work on them is done. Made once. Blocks
   that are launched into the urgent one go before those of the others. */
enum { LANES = 2, URGENT = LANES, ALL_LANES, LANE_ROOM = 1 << 16 /* elements */ };
static struct lane {
    cudaStream_t stream;
    cudaEvent_t done;
    void *room; /* for cuBLAS */
} lanes[ALL_LANES];
static cudaEvent_t main_done;

static void make_lanes(void)
{
    if (main_done)
        return;
    int least, greatest;
    CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    for (int i = 0; i < ALL_LANES; i++) {
        CUDA_CHECK(cudaStreamCreateWithPriority(&lanes[i].stream, cudaStreamNonBlocking,
                                                i == URGENT ? greatest : least));
        CUDA_CHECK(cudaEventCreateWithFlags(&lanes[i].done, cudaEventDisableTiming));
    }
    CUDA_CHECK(cudaEventCreateWithFlags(&main_done, cudaEventDisableTiming)); /* all are there */
}

/* The lanes begin when the main stream has come this far. */
static void fork_lanes(void)
{
    make_lanes();
    CUDA_CHECK(cudaEventRecord(main_done, 0));
    for (int i = 0; i < ALL_LANES; i++)
        CUDA_CHECK(cudaStreamWaitEvent(lanes[i].stream, main_done, 0));
}

/* The main stream goes on when the lanes are done. */
static void join_lanes(void)
{
    stream = 0;
    for (int i = 0; i < ALL_LANES; i++) {
        CUDA_CHECK(cudaEventRecord(lanes[i].done, lanes[i].stream));
        CUDA_CHECK(cudaStreamWaitEvent(0, lanes[i].done, 0));
    }
}
/// [lanes]

/// [cublas in lanes]
/* With one workspace for streams that run at a time cuBLAS does not promise the same bits in each
   run. So each lane has one, at the beginning of the variant's. Returns the rest of that. */
static real *take_lane_rooms(real *workspace)
{
    for (int i = 0; i < LANES; i++, workspace += LANE_ROOM)
        lanes[i].room = workspace;
    return workspace;
}

/* From here on cuBLAS works in `stream`; cublasSetStream brings its own workspace back. */
static void enter_cublas(void)
{
    CUBLAS_CHECK(cublasSetStream(gpu_cublas(), stream));
    for (int i = 0; stream && i < LANES; i++)
        if (stream == lanes[i].stream)
            CUBLAS_CHECK(cublasSetWorkspace(gpu_cublas(), lanes[i].room, LANE_ROOM * sizeof(real)));
}

static void leave_cublas(void)
{
    CUBLAS_CHECK(cublasSetStream(gpu_cublas(), 0)); /* others use it too */
}
/// [cublas in lanes]

#endif
