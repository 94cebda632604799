/* SPDX-License-Identifier: MIT */
/** @file pitched.h
 * Boxes of pitched memory: cudaMalloc3D, cudaMemset3D, cudaMemcpy3D, one slice after another by
 * the calls for rectangles; and arrays (cudaArray_t), which are in such memory, too.
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
/** An array, for textures. */
struct cudaArray {
    struct cudaPitchedPtr memory;
    struct cudaExtent extent; /* texels; height and depth are at least 1 */
    struct cudaChannelFormatDesc format;
    unsigned flags;
};
typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
#define SIMGPU_NO_ARRAY(name)                                                                  \
    name __attribute__((unavailable("simgpu: " #name " is not simulated")))
enum {
    cudaArrayDefault = 0,
    SIMGPU_NO_ARRAY(cudaArrayLayered) = 1,
    SIMGPU_NO_ARRAY(cudaArraySurfaceLoadStore) = 2,
    SIMGPU_NO_ARRAY(cudaArrayCubemap) = 4,
    cudaArrayTextureGather = 8
};
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

SIMGPU_API cudaError_t cudaMalloc3D(cudaPitchedPtr *box, cudaExtent extent, SIMGPU_HERE)
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

/** Positions and widths count texels where an array takes part, else bytes. */
static inline cudaError_t simgpu_memcpy_3d(const cudaMemcpy3DParms *p, int asynchronous,
                                           cudaStream_t stream)
{
    auto texel = [](const cudaArray *a) {
        return (size_t)(a->format.x + a->format.y + a->format.z + a->format.w) / 8;
    };
    size_t unit = p->srcArray ? texel(p->srcArray) : p->dstArray ? texel(p->dstArray) : 1;
    const cudaPitchedPtr &from = p->srcArray ? p->srcArray->memory : p->srcPtr;
    const cudaPitchedPtr &to = p->dstArray ? p->dstArray->memory : p->dstPtr;
    auto slice = [unit](const cudaPitchedPtr &box, const cudaPos &at, bool array, size_t z) {
        return (char *)box.ptr + ((at.z + z) * box.ysize + at.y) * box.pitch +
               at.x * (array ? unit : 1);
    };
    cudaError_t error = cudaSuccess;
    for (size_t z = 0; z < p->extent.depth && error == cudaSuccess; z++)
        error = asynchronous ? cudaMemcpy2DAsync(slice(to, p->dstPos, p->dstArray, z), to.pitch,
                                                 slice(from, p->srcPos, p->srcArray, z),
                                                 from.pitch, p->extent.width * unit,
                                                 p->extent.height, p->kind, stream)
                             : cudaMemcpy2D(slice(to, p->dstPos, p->dstArray, z), to.pitch,
                                            slice(from, p->srcPos, p->srcArray, z), from.pitch,
                                            p->extent.width * unit, p->extent.height, p->kind);
    return error;
}
SIMGPU_API cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *p)
{
    return simgpu_memcpy_3d(p, 0, 0);
}

SIMGPU_API cudaError_t cudaMalloc3DArray(cudaArray_t *array,
                                         const cudaChannelFormatDesc *format, cudaExtent extent,
                                         unsigned flags = 0, SIMGPU_HERE)
{
    size_t texel = (size_t)(format->x + format->y + format->z + format->w) / 8;
    cudaExtent all = {extent.width, extent.height ? extent.height : 1,
                      extent.depth ? extent.depth : 1};
    cudaPitchedPtr memory;
    cudaError_t error = cudaMalloc3D(
        &memory, make_cudaExtent(all.width * texel, all.height, all.depth), file, line);
    if (error == cudaSuccess)
        simgpu_array(*array = new cudaArray{memory, all, *format, flags}, 1);
    return error;
}
SIMGPU_API cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *format,
                                       size_t width, size_t height = 0, unsigned flags = 0,
                                       SIMGPU_HERE)
{
    return cudaMalloc3DArray(array, format, make_cudaExtent(width, height, 0), flags, file,
                             line);
}
SIMGPU_API cudaError_t cudaFreeArray(cudaArray_t array)
{
    cudaError_t error = array ? cudaFree(array->memory.ptr) : cudaSuccess;
    simgpu_array(array, 0);
    delete array;
    return error;
}
/** Copies rows of `width` bytes into an array, from column `x` (bytes) and row `y` on. */
SIMGPU_API cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from,
                                           size_t pitch, size_t width, size_t height,
                                           cudaMemcpyKind kind)
{
    return cudaMemcpy2D((char *)to->memory.ptr + y * to->memory.pitch + x, to->memory.pitch,
                        from, pitch, width, height, kind);
}
SIMGPU_API cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from,
                                             size_t x, size_t y, size_t width, size_t height,
                                             cudaMemcpyKind kind)
{
    return cudaMemcpy2D(to, pitch, (char *)from->memory.ptr + y * from->memory.pitch + x,
                        from->memory.pitch, width, height, kind);
}
/** Fills whole rows of an array from contiguous `bytes`. */
SIMGPU_API cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from,
                                         size_t bytes, cudaMemcpyKind kind)
{
    size_t row = to->memory.xsize - x;
    if (bytes <= row)
        return cudaMemcpy2DToArray(to, x, y, from, bytes, bytes, 1, kind);
    return x ? cudaErrorNotSupported
             : cudaMemcpy2DToArray(to, 0, y, from, row, row, bytes / row, kind);
}
SIMGPU_API cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *p, cudaStream_t stream = 0)
{
    return simgpu_memcpy_3d(p, 1, stream);
}
#endif
#endif
