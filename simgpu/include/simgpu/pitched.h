/* SPDX-License-Identifier: MIT */
/** @file pitched.h
 * Boxes of pitched memory: cudaMalloc3D, cudaMemset3D, cudaMemcpy3D, one slice after another by
 * the calls for rectangles. Arrays (cudaArray_t) are not simulated.
 */
#ifndef SIMGPU_INCLUDE_SIMGPU_PITCHED_H
#define SIMGPU_INCLUDE_SIMGPU_PITCHED_H

/** Memory of rows that begin `pitch` bytes apart, `ysize` rows in a slice. */
struct cudaPitchedPtr {
    void *ptr;
    size_t pitch, xsize, ysize;
};
/** A box: `width` bytes, `height` rows, `depth` slices. */
struct cudaExtent {
    size_t width, height, depth;
};
struct cudaPos {
    size_t x, y, z; /* bytes, rows, slices */
};
typedef struct cudaArray *cudaArray_t;
struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    struct cudaPos srcPos;
    struct cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    struct cudaPos dstPos;
    struct cudaPitchedPtr dstPtr;
    struct cudaExtent extent;
    enum cudaMemcpyKind kind;
};

#ifdef __cplusplus
SIMGPU_API cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
    return {width, height, depth};
}
SIMGPU_API cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }
SIMGPU_API cudaPitchedPtr make_cudaPitchedPtr(void *memory, size_t pitch, size_t xsize,
                                              size_t ysize)
{
    return {memory, pitch, xsize, ysize};
}

SIMGPU_API cudaError_t cudaMalloc3D(cudaPitchedPtr *box, cudaExtent extent,
                                    const char *file = __builtin_FILE(),
                                    int line = __builtin_LINE())
{
    box->xsize = extent.width;
    box->ysize = extent.height;
    return simgpu_malloc_pitch(&box->ptr, &box->pitch, extent.width,
                               extent.height * extent.depth, file, line);
}

SIMGPU_API cudaError_t cudaMemset3D(cudaPitchedPtr box, int value, cudaExtent extent)
{
    cudaError_t error = cudaSuccess;
    for (size_t z = 0; z < extent.depth && error == cudaSuccess; z++)
        error = cudaMemset2D((char *)box.ptr + z * box.ysize * box.pitch, box.pitch, value,
                             extent.width, extent.height);
    return error;
}

SIMGPU_API cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *p)
{
    if (p->srcArray || p->dstArray)
        return cudaErrorNotSupported;
    auto slice = [](const cudaPitchedPtr &box, const cudaPos &at, size_t z) {
        return (char *)box.ptr + ((at.z + z) * box.ysize + at.y) * box.pitch + at.x;
    };
    cudaError_t error = cudaSuccess;
    for (size_t z = 0; z < p->extent.depth && error == cudaSuccess; z++)
        error = cudaMemcpy2D(slice(p->dstPtr, p->dstPos, z), p->dstPtr.pitch,
                             slice(p->srcPtr, p->srcPos, z), p->srcPtr.pitch, p->extent.width,
                             p->extent.height, p->kind);
    return error;
}

SIMGPU_API cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *p, cudaStream_t = 0)
{
    return cudaMemcpy3D(p);
}
#endif
#endif
