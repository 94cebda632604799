/* SPDX-License-Identifier: MIT */
/** @file texture.cpp
 * Texture objects over linear and pitched memory. A fetch is checked like a load and counted
 * separately; the texture cache is not simulated.
 */
#include "src/tracer/tracer.h"

#include <cmath>

namespace simgpu
{

namespace
{

struct Texture {
    const cudaArray *array = nullptr;
    cudaTextureDesc how;
    const unsigned char *memory;
    size_t width, height, pitch; /* texels, rows, bytes */
    size_t texel;                /* bytes */
    bool border;
};

/** Reports why cudaCreateTextureObject is refused, in the line of the call. */
struct Refuse {
    const char *file;
    int line;
    cudaError_t operator()(simgpu_fault_kind kind, const std::string &what,
                           cudaError_t error = cudaErrorInvalidValue) const
    {
        host_fault(kind, at_line(file, line), nullptr, "cudaCreateTextureObject: %s",
                   what.c_str());
        faults_print();
        return fail(error);
    }
};

size_t texel_bytes(const cudaChannelFormatDesc &d)
{
    return (size_t)(d.x + d.y + d.z + d.w) / 8;
}

/** The textures that exist. They change only while no kernel runs. */
std::unordered_set<const Texture *> &textures = *new std::unordered_set<const Texture *>;

/** The texture with this handle, or null: a program could make a handle up. */
Texture *found(unsigned long long object)
{
    Texture *t = reinterpret_cast<Texture *>((uintptr_t)object);
    return textures.count(t) ? t : nullptr;
}

cudaTextureObject_t kept(const Texture &texture)
{
    return (uintptr_t)*textures.insert(new Texture(texture)).first;
}

Texture *texture_of(unsigned long long object, size_t size)
{
    Texture *t = found(object);
    Worker *w = this_worker;
    if (w && t && t->texel == size)
        return t;
    if (!w) {
        fprintf(stderr, "simgpu: host code fetched from a texture; that belongs in a kernel\n");
        exit(1);
    }
    const simgpu_launch_desc &d = w->launch->desc;
    if (!t)
        kernel_fault(w, SIMGPU_BAD_CALL,
                     at_line(d.file, d.line,
                             "Create it before the launch (cudaCreateTextureObject), and "
                             "destroy it when the last kernel that fetches from it is done."),
                     "fetches from a texture object that does not exist or is destroyed");
    else
        kernel_fault(w, SIMGPU_BAD_CALL, at_line(d.file, d.line),
                     "fetches %zu bytes from a texture with texels of %zu", size, t->texel);
    abort_launch(w, cudaErrorInvalidTexture);
}

/** A texture over an array. */
cudaError_t create_over_array(cudaTextureObject_t *object, const cudaResourceDesc *r,
                              const cudaTextureDesc *t, const Refuse &refuse)
{
    const cudaArray *array = r->res.array.array;
    const cudaChannelFormatDesc &d = array->format;
    bool numbers = d.f == cudaChannelFormatKindFloat && d.x == 32;
    bool normalised = t->readMode == cudaReadModeNormalizedFloat && !numbers && d.x <= 16;
    if (t->filterMode == cudaFilterModeLinear && !numbers && !normalised)
        return refuse(SIMGPU_BAD_CALL, "cudaFilterModeLinear filters floats: an array of "
                                       "float, or cudaReadModeNormalizedFloat");
    Texture texture;
    texture.array = array;
    texture.how = *t;
    texture.how.readMode = normalised ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    texture.texel = texel_bytes(d);
    if (normalised)
        texture.texel = texture.texel * 8 / (size_t)d.x * sizeof(float);
    *object = kept(texture);
    return cudaSuccess;
}

/** The index of a texel along one direction after the address mode, or -1 for the border. */
long addressed(long i, size_t extent, const Texture *t, int direction)
{
    long n = (long)extent;
    cudaTextureAddressMode mode = t->how.addressMode[direction];
    if (i >= 0 && i < n)
        return i;
    if (mode == cudaAddressModeBorder)
        return -1;
    if (mode == cudaAddressModeWrap && t->how.normalizedCoords)
        return (i % n + n) % n;
    if (mode == cudaAddressModeMirror && t->how.normalizedCoords) {
        long turn = (i % (2 * n) + 2 * n) % (2 * n);
        return turn < n ? turn : 2 * n - 1 - turn;
    }
    return i < 0 ? 0 : n - 1;
}

/** Reads the texel in this column and row of memory. */
void fetch(const Texture *t, size_t x, size_t y, void *texel, size_t size, uintptr_t caller)
{
    const unsigned char *from = t->memory + y * t->pitch + x * size;
    trace_texture((uintptr_t)from, (unsigned)size, caller);
    memcpy(texel, from, size);
}

/** Component `c` of a texel in memory, as a float. */
float component(const unsigned char *texel, const cudaChannelFormatDesc &d, int c)
{
    float value = 0;
    if (d.x == 32) {
        memcpy(&value, texel + 4 * c, 4);
    } else if (d.x == 16) {
        uint16_t bits;
        memcpy(&bits, texel + 2 * c, 2);
        value = d.f == cudaChannelFormatKindSigned ? std::max((int16_t)bits / 32767.f, -1.f)
                                                   : bits / 65535.f;
    } else {
        value = d.f == cudaChannelFormatKindSigned
                    ? std::max((signed char)texel[c] / 127.f, -1.f)
                    : texel[c] / 255.f;
    }
    return value;
}

} // namespace

extern "C" {

cudaError_t simgpu_create_texture(cudaTextureObject_t *object, const cudaResourceDesc *r,
                                  const cudaTextureDesc *t, const cudaResourceViewDesc *view,
                                  const char *file, int line)
{
    const Refuse refuse{file, line};
    settle_launches();
    memory_changed(); /* the same number may have been another texture's */
    *own(object) = 0;
    if (!r || !t)
        return refuse(SIMGPU_BAD_CALL, "a description is missing");
    if (!view && r->resType == cudaResourceTypeArray && r->res.array.array)
        return create_over_array(object, r, t, refuse);
    if (view || (r->resType != cudaResourceTypeLinear && r->resType != cudaResourceTypePitch2D))
        return refuse(SIMGPU_NOT_SIMULATED,
                      "only linear and pitched memory are simulated, without views",
                      cudaErrorNotSupported);
    if (t->filterMode != cudaFilterModePoint || t->readMode != cudaReadModeElementType)
        return refuse(SIMGPU_NOT_SIMULATED,
                      "only point sampling (cudaFilterModePoint) of elements "
                      "(cudaReadModeElementType) is simulated",
                      cudaErrorNotSupported);
    if (t->normalizedCoords && r->resType != cudaResourceTypePitch2D)
        return refuse(
            SIMGPU_BAD_CALL,
            "linear memory is fetched by whole numbers, not by normalised coordinates");
    /* Wrap and mirror need normalised coordinates; CUDA turns them into clamp. */
    const cudaTextureAddressMode x_mode = t->addressMode[0], y_mode = t->addressMode[1];
    if (!t->normalizedCoords && x_mode != y_mode &&
        (x_mode == cudaAddressModeBorder || y_mode == cudaAddressModeBorder))
        return refuse(SIMGPU_NOT_SIMULATED, "both directions must have the same address mode",
                      cudaErrorNotSupported);

    cudaDeviceProp device;
    cudaGetDeviceProperties(&device, 0);
    Texture texture;
    const cudaChannelFormatDesc &format_desc =
        r->resType == cudaResourceTypeLinear ? r->res.linear.desc : r->res.pitch2D.desc;
    texture.texel = texel_bytes(format_desc);
    size_t n = texture.texel;
    if (n != 4 && n != 8 && n != 16)
        return refuse(SIMGPU_BAD_CALL,
                      format("texels have 4, 8 or 16 bytes, not %zu (float3 is no texel; "
                             "double is fetched as int2)",
                             n),
                      cudaErrorInvalidChannelDescriptor);
    size_t bytes;
    if (r->resType == cudaResourceTypeLinear) {
        texture.memory = static_cast<unsigned char *>(r->res.linear.devPtr);
        texture.width = r->res.linear.sizeInBytes / n;
        texture.height = 1;
        texture.pitch = bytes = r->res.linear.sizeInBytes;
        if (texture.width > (size_t)device.maxTexture1DLinear)
            return refuse(
                SIMGPU_LAUNCH_LIMITS,
                format("%zu texels are more than the device's %d (maxTexture1DLinear)",
                       texture.width, device.maxTexture1DLinear));
    } else {
        texture.memory = static_cast<unsigned char *>(r->res.pitch2D.devPtr);
        texture.width = r->res.pitch2D.width;
        texture.height = r->res.pitch2D.height;
        texture.pitch = r->res.pitch2D.pitchInBytes;
        if (texture.pitch % device.texturePitchAlignment || texture.pitch < texture.width * n)
            return refuse(SIMGPU_BAD_CALL,
                          format("the pitch of %zu bytes must hold %zu texels of %zu bytes and "
                                 "be a multiple of %zu (texturePitchAlignment)",
                                 texture.pitch, texture.width, n,
                                 device.texturePitchAlignment));
        if (texture.width > (size_t)device.maxTexture2DLinear[0] ||
            texture.height > (size_t)device.maxTexture2DLinear[1] ||
            texture.pitch > (size_t)device.maxTexture2DLinear[2])
            return refuse(SIMGPU_LAUNCH_LIMITS,
                          format("%zu x %zu texels with a pitch of %zu bytes are more than the "
                                 "device's %d x %d and %d (maxTexture2DLinear)",
                                 texture.width, texture.height, texture.pitch,
                                 device.maxTexture2DLinear[0], device.maxTexture2DLinear[1],
                                 device.maxTexture2DLinear[2]));
        bytes = texture.height ? (texture.height - 1) * texture.pitch + texture.width * n : 0;
    }
    uint64_t offset = (uint64_t)(texture.memory - arena.base);
    const Allocation *a =
        arena.base && arena_contains(texture.memory) ? arena_find(offset) : nullptr;
    if (!a || offset + bytes > a->offset + a->size)
        return refuse(SIMGPU_BAD_CALL, "its memory is not inside one allocation of cudaMalloc");
    if (offset % device.textureAlignment)
        return refuse(
            SIMGPU_BAD_CALL,
            format("its memory must begin at a multiple of %zu bytes (textureAlignment)",
                   device.textureAlignment));
    texture.how = *t;
    texture.border = t->addressMode[0] == cudaAddressModeBorder;
    *object = kept(texture);
    return cudaSuccess;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object)
{
    settle_launches();
    Texture *t = found(object);
    textures.erase(t);
    delete t;
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
    fetch(t, (size_t)x, 0, texel, size, SIMGPU_CALLER);
}

void simgpu_texture_fetch_2d(unsigned long long object, float x, float y, void *texel,
                             size_t size)
{
    const Texture *t = texture_of(object, size);
    if (t->array) {
        const float point[3] = {x, y, 0};
        simgpu_texture_sample(object, point, texel, size);
        return;
    }
    if (t->how.normalizedCoords) {
        long at[2] = {addressed((long)floorf(x * (float)t->width), t->width, t, 0),
                      addressed((long)floorf(y * (float)t->height), t->height, t, 1)};
        if (at[0] < 0 || at[1] < 0)
            memset(texel, 0, size);
        else
            fetch(t, (size_t)at[0], (size_t)at[1], texel, size, SIMGPU_CALLER);
        return;
    }
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
    fetch(t, (size_t)column, (size_t)row, texel, size, SIMGPU_CALLER);
}

void simgpu_texture_sample(unsigned long long object, const float point[3], void *texel,
                           size_t size)
{
    const Texture *t = texture_of(object, size);
    const cudaArray *a = t->array;
    if (!a) {
        kernel_fault(this_worker, SIMGPU_NOT_SIMULATED, FaultPlace{pc_of(SIMGPU_CALLER)},
                     "samples linear or pitched memory by a function for arrays");
        abort_launch(this_worker, cudaErrorNotSupported);
    }
    const cudaChannelFormatDesc &d = a->format;
    size_t bytes = texel_bytes(d);
    size_t extent[3] = {a->extent.width, a->extent.height, a->extent.depth};
    bool linear = t->how.filterMode == cudaFilterModeLinear;
    long first[3];
    float part[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        float x = point[i] * (t->how.normalizedCoords ? (float)extent[i] : 1);
        if (linear && extent[i] > 1) {
            x -= 0.5f;
            /* Eight bits of the fraction take part, as on a GPU. */
            part[i] = floorf((x - floorf(x)) * 256 + 0.5f) / 256;
        }
        first[i] = extent[i] > 1 ? (long)floorf(x) : 0;
    }
    float sum[4] = {0, 0, 0, 0};
    int components = 1 + (d.y > 0) + (d.z > 0) + (d.w > 0);
    bool as_float = linear || t->how.readMode == cudaReadModeNormalizedFloat;
    if (!as_float)
        memset(texel, 0, size);
    for (int corner = 0; corner < 8; corner++) {
        float weight = 1;
        long index[3];
        for (int i = 0; i < 3; i++) {
            bool next = corner >> i & 1;
            weight *= next ? part[i] : 1 - part[i];
            index[i] = addressed(first[i] + next, extent[i], t, i);
        }
        if (weight == 0 || index[0] < 0 || index[1] < 0 || index[2] < 0)
            continue;
        const unsigned char *from =
            (const unsigned char *)a->memory.ptr +
            ((size_t)index[2] * a->memory.ysize + (size_t)index[1]) * a->memory.pitch +
            (size_t)index[0] * bytes;
        trace_texture((uintptr_t)from, (unsigned)bytes, SIMGPU_CALLER);
        if (as_float)
            for (int c = 0; c < components; c++)
                sum[c] += weight * component(from, d, c);
        else
            memcpy(texel, from, size);
    }
    if (as_float)
        memcpy(texel, sum, size);
}

} // extern "C"

} // namespace simgpu
