/* SPDX-License-Identifier: MIT */
/** @file texture.cpp
 * Texture objects over linear and pitched memory. A fetch is checked like a load and counted
 * separately; the texture cache is not simulated.
 */
#include "internal.h"

#include <cmath>
#include <cstring>

namespace simgpu
{

namespace
{

constexpr uint64_t magic = 0x7374657874757265ull;

struct Texture {
    uint64_t check = magic;
    bool pitched;
    const unsigned char *memory;
    size_t width, height, pitch; /* texels, rows, bytes */
    size_t texel;                /* bytes */
    bool border;
};

cudaError_t refuse(simgpu_fault_kind kind, const char *file, int line, const std::string &what,
                   cudaError_t error)
{
    host_fault(kind, at_line(file, line), nullptr, "cudaCreateTextureObject: %s", what.c_str());
    faults_print();
    set_error(error);
    return error;
}

size_t texel_bytes(const cudaChannelFormatDesc &d)
{
    return (size_t)(d.x + d.y + d.z + d.w) / 8;
}

Texture *texture_of(unsigned long long object, size_t size)
{
    Texture *t = reinterpret_cast<Texture *>((uintptr_t)object);
    Worker *w = this_worker;
    if (w && t && t->check == magic && t->texel == size)
        return t;
    if (!w) {
        fprintf(stderr, "simgpu: host code fetched from a texture; that belongs in a kernel\n");
        exit(1);
    }
    FaultPlace place = at_line(w->launch->desc.file, w->launch->desc.line);
    if (!t || t->check != magic)
        kernel_fault(w, SIMGPU_BAD_CALL, place,
                     "fetches from a texture object that does not exist");
    else
        kernel_fault(w, SIMGPU_BAD_CALL, place,
                     "fetches %zu bytes from a texture with texels of %zu", size, t->texel);
    abort_launch(w, cudaErrorInvalidTexture);
}

} // namespace

} // namespace simgpu

using namespace simgpu;

extern "C" {

cudaError_t simgpu_create_texture(cudaTextureObject_t *object, const cudaResourceDesc *r,
                                  const cudaTextureDesc *t, const cudaResourceViewDesc *view,
                                  const char *file, int line)
{
    *object = 0;
    if (!r || !t)
        return refuse(SIMGPU_BAD_CALL, file, line, "a description is missing",
                      cudaErrorInvalidValue);
    if (view || (r->resType != cudaResourceTypeLinear && r->resType != cudaResourceTypePitch2D))
        return refuse(SIMGPU_NOT_SIMULATED, file, line,
                      "only linear and pitched memory are simulated, without views",
                      cudaErrorNotSupported);
    if (t->filterMode != cudaFilterModePoint || t->normalizedCoords ||
        t->readMode != cudaReadModeElementType)
        return refuse(
            SIMGPU_NOT_SIMULATED, file, line,
            "only point sampling (cudaFilterModePoint) of elements (cudaReadModeElementType) "
            "at coordinates that are not normalised is simulated",
            cudaErrorNotSupported);
    if (t->addressMode[0] != t->addressMode[1] ||
        (t->addressMode[0] != cudaAddressModeClamp &&
         t->addressMode[0] != cudaAddressModeBorder && !(r->resType == cudaResourceTypeLinear)))
        /* Wrap and mirror need normalised coordinates; CUDA turns them into clamp. */
        if (t->addressMode[0] == cudaAddressModeBorder ||
            t->addressMode[1] == cudaAddressModeBorder)
            return refuse(SIMGPU_NOT_SIMULATED, file, line,
                          "both directions must have the same address mode",
                          cudaErrorNotSupported);

    cudaDeviceProp device;
    cudaGetDeviceProperties(&device, 0);
    Texture texture;
    const cudaChannelFormatDesc &format_desc =
        r->resType == cudaResourceTypeLinear ? r->res.linear.desc : r->res.pitch2D.desc;
    texture.texel = texel_bytes(format_desc);
    size_t n = texture.texel;
    if (n != 4 && n != 8 && n != 16)
        return refuse(SIMGPU_BAD_CALL, file, line,
                      format("texels have 4, 8 or 16 bytes, not %zu (float3 is no texel; "
                             "double is fetched as int2)",
                             n),
                      cudaErrorInvalidChannelDescriptor);
    size_t bytes;
    if (r->resType == cudaResourceTypeLinear) {
        texture.pitched = false;
        texture.memory = static_cast<unsigned char *>(r->res.linear.devPtr);
        texture.width = r->res.linear.sizeInBytes / n;
        texture.height = 1;
        texture.pitch = bytes = r->res.linear.sizeInBytes;
        if (texture.width > (size_t)device.maxTexture1DLinear)
            return refuse(
                SIMGPU_LAUNCH_LIMITS, file, line,
                format("%zu texels are more than the device's %d (maxTexture1DLinear)",
                       texture.width, device.maxTexture1DLinear),
                cudaErrorInvalidValue);
    } else {
        texture.pitched = true;
        texture.memory = static_cast<unsigned char *>(r->res.pitch2D.devPtr);
        texture.width = r->res.pitch2D.width;
        texture.height = r->res.pitch2D.height;
        texture.pitch = r->res.pitch2D.pitchInBytes;
        if (texture.pitch % device.texturePitchAlignment || texture.pitch < texture.width * n)
            return refuse(SIMGPU_BAD_CALL, file, line,
                          format("the pitch of %zu bytes must hold %zu texels of %zu bytes and "
                                 "be a multiple of %zu (texturePitchAlignment)",
                                 texture.pitch, texture.width, n, device.texturePitchAlignment),
                          cudaErrorInvalidValue);
        if (texture.width > (size_t)device.maxTexture2DLinear[0] ||
            texture.height > (size_t)device.maxTexture2DLinear[1] ||
            texture.pitch > (size_t)device.maxTexture2DLinear[2])
            return refuse(SIMGPU_LAUNCH_LIMITS, file, line,
                          format("%zu x %zu texels with a pitch of %zu bytes are more than the "
                                 "device's %d x %d and %d (maxTexture2DLinear)",
                                 texture.width, texture.height, texture.pitch,
                                 device.maxTexture2DLinear[0], device.maxTexture2DLinear[1],
                                 device.maxTexture2DLinear[2]),
                          cudaErrorInvalidValue);
        bytes = texture.height ? (texture.height - 1) * texture.pitch + texture.width * n : 0;
    }
    uint64_t offset = (uint64_t)(texture.memory - arena.base);
    const Allocation *a =
        arena.base && arena_contains(texture.memory) ? arena_find(offset) : nullptr;
    if (!a || offset + bytes > a->offset + a->size)
        return refuse(SIMGPU_BAD_CALL, file, line,
                      "its memory is not inside one allocation of cudaMalloc",
                      cudaErrorInvalidValue);
    if (offset % device.textureAlignment)
        return refuse(
            SIMGPU_BAD_CALL, file, line,
            format("its memory must begin at a multiple of %zu bytes (textureAlignment)",
                   device.textureAlignment),
            cudaErrorInvalidValue);
    texture.border = t->addressMode[0] == cudaAddressModeBorder;
    *object = (uintptr_t) new Texture(texture);
    return cudaSuccess;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object)
{
    Texture *t = reinterpret_cast<Texture *>((uintptr_t)object);
    if (t && t->check == magic) {
        t->check = 0;
        delete t;
    }
    return cudaSuccess;
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *texels, const cudaChannelFormatDesc *,
                                                 int device)
{
    cudaDeviceProp p;
    cudaError_t error = cudaGetDeviceProperties(&p, device);
    *texels = error == cudaSuccess ? (size_t)p.maxTexture1DLinear : 0;
    return error;
}

void simgpu_texture_fetch_1d(unsigned long long object, int x, void *texel, size_t size)
{
    const Texture *t = texture_of(object, size);
    if (x < 0 || (size_t)x >= t->width) {
        memset(texel, 0, size);
        return;
    }
    const unsigned char *from = t->memory + (size_t)x * size;
    trace_texture((uintptr_t)from, (unsigned)size, SIMGPU_CALLER);
    memcpy(texel, from, size);
}

void simgpu_texture_fetch_2d(unsigned long long object, float x, float y, void *texel,
                             size_t size)
{
    const Texture *t = texture_of(object, size);
    float column = x, row = y;
    float right = (float)(t->width - 1), bottom = (float)(t->height - 1);
    if (!(column >= 0 && column < right + 1 && row >= 0 && row < bottom + 1)) { /* or NaN */
        column = floorf(x), row = floorf(y);
        if (t->border) {
            memset(texel, 0, size);
            return;
        }
        column = column > 0 ? (column < right ? column : right) : 0; /* NaN becomes 0 */
        row = row > 0 ? (row < bottom ? row : bottom) : 0;
    }
    const unsigned char *from = t->memory + (size_t)row * t->pitch + (size_t)column * size;
    trace_texture((uintptr_t)from, (unsigned)size, SIMGPU_CALLER);
    memcpy(texel, from, size);
}

} // extern "C"
