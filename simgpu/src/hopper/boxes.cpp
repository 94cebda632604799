/* SPDX-License-Identifier: MIT */
/** @file boxes.cpp
 * Tensor maps, and bulk copies of the boxes that they describe.
 */
#include "src/hopper/async_proxy.h"

#include <algorithm>

namespace simgpu
{

namespace
{

/** What a CUtensorMap holds here. */
struct TensorMap {
    uint64_t mark;
    unsigned char *base;
    uint64_t sizes[5], strides[5]; /**< in elements; in bytes */
    uint16_t box[5];
    uint8_t dimensions, element; /**< bytes of one */
    uint8_t swizzle;             /**< bytes of a row; 16: none */
};
static_assert(sizeof(TensorMap) <= 128, "the size of a CUtensorMap");
constexpr uint64_t encoded = 0x70616d726f736e74;

/** "64 x 128", the innermost first. */
template <class T> std::string shape_name(const T *sizes, unsigned count)
{
    std::string name;
    for (unsigned i = 0; i < count; i++)
        name += format("%s%llu", i ? " x " : "", (Count)sizes[i]);
    return name;
}

uint32_t bytes_of_box(const TensorMap &m)
{
    uint32_t bytes = m.element;
    for (unsigned d = 0; d < m.dimensions; d++)
        bytes *= m.box[d];
    return bytes;
}

/** What is wrong with the arguments of cuTensorMapEncodeTiled; "" if nothing is. */
std::string wrong_with(const TensorMap &m, const unsigned *steps)
{
    const std::string box = shape_name(m.box, m.dimensions);
    if ((uintptr_t)m.base % 16)
        return format("the tensor's address is %u modulo 16; it must be a multiple of 16",
                      (unsigned)((uintptr_t)m.base % 16));
    for (unsigned d = 0; d < m.dimensions; d++) {
        if (m.sizes[d] == 0 || m.sizes[d] > 1ull << 32)
            return format("dimension %u of the tensor has %llu elements", d, (Count)m.sizes[d]);
        if (m.box[d] == 0 || m.box[d] > 256)
            return format("dimension %u of the box of %s elements has %u; it may have 1 to 256",
                          d, box.c_str(), m.box[d]);
        if (d > 0 && (m.strides[d] % 16 || m.strides[d] >= 1ull << 40))
            return format("the stride of dimension %u is %llu bytes; it must be a multiple of "
                          "16 below 2^40",
                          d, (Count)m.strides[d]);
        if (steps[d] == 0 || steps[d] > 8)
            return format("the element stride of dimension %u is %u; it may be 1 to 8", d,
                          steps[d]);
    }
    const unsigned row = m.box[0] * m.element;
    if (row % 16)
        return format(
            "a row of the box of %s elements has %u bytes, which is no multiple of 16",
            box.c_str(), row);
    if (m.swizzle > 16 && row > m.swizzle)
        return format(
            "a row of the box of %s elements has %u bytes, and the swizzle is one of %u bytes",
            box.c_str(), row, m.swizzle);
    return "";
}

/** Reads a map. Ends the launch if it is none, or has other dimensions. */
TensorMap read_map(Worker *w, const void *map, unsigned dimensions, uint32_t pc)
{
    TensorMap m;
    memcpy(&m, map, sizeof m);
    if (m.mark != encoded)
        kernel_fault(
            w, SIMGPU_BAD_CALL,
            at_pc(pc, "Fill the map with cuTensorMapEncodeTiled on the host, and pass it as a "
                      "__grid_constant__ parameter or in device memory."),
            "begins a bulk copy with a tensor map that cuTensorMapEncodeTiled has not filled");
    else if (m.dimensions != dimensions)
        kernel_fault(
            w, SIMGPU_BAD_CALL, {pc},
            "begins a bulk copy with %u coordinates, and its tensor map has %u dimensions",
            dimensions, m.dimensions);
    else
        return m;
    abort_launch(w, cudaErrorLaunchFailure);
}

/** Ends the launch if the box does not fit its place in shared memory. */
void check_place(Worker *w, const TensorMap &m, uint32_t offset, uint32_t pc)
{
    const uint32_t bytes = bytes_of_box(m);
    const std::string box = shape_name(m.box, m.dimensions);
    const SharedArray *array = nearest_shared_array(w->launch, offset);
    if (offset % 128) {
        kernel_fault(w, SIMGPU_MISALIGNED,
                     at_pc(pc, "Declare the array with __align__(128); a swizzle of 128 bytes "
                               "repeats every 1024."),
                     "begins a bulk copy of a box of %s elements at %s, which is not at a "
                     "multiple of 128",
                     box.c_str(), shared_byte(w->launch, offset).c_str());
    } else if (array &&
               (offset < array->offset || offset + bytes > array->offset + array->size)) {
        kernel_fault(w, SIMGPU_OUT_OF_BOUNDS_SHARED, {pc},
                     "begins a bulk copy of a box of %s elements (%u bytes) at byte %d of %s, "
                     "which has %zu bytes",
                     box.c_str(), bytes, (int)(offset - array->offset), array->name,
                     array->size);
    } else {
        return;
    }
    abort_launch(w, cudaErrorIllegalAddress);
}

/** The box at these coordinates of the tensor, and at an offset of shared memory. */
Box box_at(const TensorMap &m, const int *at, uint32_t offset)
{
    Box box;
    const unsigned elements = 16 / m.element; /* of a part */
    const uint32_t rows = bytes_of_box(m) / (m.box[0] * m.element);
    for (uint32_t row = 0; row < rows; row++) {
        unsigned char *start = m.base;
        bool inside = true;
        uint32_t rest = row;
        for (unsigned d = 1; d < m.dimensions; d++, rest /= m.box[d - 1]) {
            const int64_t place = (int64_t)at[d] + rest % m.box[d];
            inside &= place >= 0 && place < (int64_t)m.sizes[d];
            start += place * (int64_t)m.strides[d];
        }
        for (unsigned x = 0; x < m.box[0]; x += elements, offset += 16) {
            const int64_t first = (int64_t)at[0] + x;
            auto within = [&](int64_t end) {
                return (uint8_t)(std::clamp<int64_t>(end - first, 0, elements) * m.element);
            };
            BoxPart part = {start + first * m.element, offset, within(0),
                            within((int64_t)m.sizes[0])};
            if (!inside || part.from > part.to)
                part.to = part.from;
            part.offset ^= (offset >> 7 & (m.swizzle / 16 - 1u)) << 4;
            box.push_back(part);
        }
    }
    return box;
}

} // namespace

void check_swizzle(Worker *w, uint32_t offset, unsigned swizzle, char operand, uint32_t pc)
{
    for (const BulkCopy &box : w->proxy->boxes) {
        if (offset < box.offset || offset >= box.offset + box.bytes || box.swizzle == swizzle)
            continue;
        const Touch &t = w->shared_shadow[offset / 4];
        if (t.writer != copy_engine || t.write_pc != box.pc)
            continue;
        auto name = [](unsigned bytes) {
            return bytes == 16 ? std::string("no swizzle") : format("a swizzle of %u", bytes);
        };
        kernel_fault(
            w, SIMGPU_BAD_CALL,
            at_pcs(pc, box.pc,
                   "Let bits 62 and 63 of the descriptor name the swizzle of the tensor "
                   "map: 1 is 128 bytes, 2 is 64, 3 is 32."),
            "begins a product whose operand %c is read with %s, and the copy stored it with %s",
            operand, name(swizzle).c_str(), name(box.swizzle).c_str());
        abort_launch(w, cudaErrorIllegalAddress);
    }
}

extern "C" {

int simgpu_tensor_map(void *map, unsigned element, unsigned dimensions, void *address,
                      const uint64_t *sizes, const uint64_t *strides, const uint32_t *box,
                      const uint32_t *steps, int plain, unsigned swizzle)
{
    TensorMap m = {encoded,
                   static_cast<unsigned char *>(address),
                   {},
                   {},
                   {},
                   (uint8_t)dimensions,
                   (uint8_t)element,
                   (uint8_t)swizzle};
    std::string wrong;
    bool simulated = plain && element && swizzle;
    if (dimensions < 1 || dimensions > 5) {
        wrong = format("a tensor has 1 to 5 dimensions, not %u", dimensions);
    } else {
        for (unsigned d = 0; d < dimensions; d++) {
            m.sizes[d] = sizes[d];
            m.strides[d] = d ? strides[d - 1] : element;
            m.box[d] = (uint16_t)std::min(box[d], 0xffffu);
            simulated &= steps[d] == 1;
        }
        wrong = wrong_with(m, steps);
        simulated &= swizzle == 16 || box[0] * element == swizzle;
    }
    if (!wrong.empty())
        host_fault(SIMGPU_BAD_CALL, called_here(""), nullptr, "cuTensorMapEncodeTiled: %s",
                   wrong.c_str());
    else if (!simulated)
        host_fault(SIMGPU_NOT_SIMULATED, called_here(), nullptr,
                   "cuTensorMapEncodeTiled: interleaved tensors, element strides other than 1, "
                   "a fill with NaN, packed types, swizzles with other units than 16 bytes, "
                   "and rows shorter than the swizzle are not simulated");
    if (!wrong.empty() || !simulated)
        return wrong.empty() ? 801 : 1;
    memcpy(map, &m, sizeof m);
    return 0;
}

void simgpu_copy_tensor(unsigned to, const void *map, const int *at, unsigned dimensions,
                        unsigned barrier, unsigned blocks)
{
    Worker *w = kernel_only("cp.async.bulk.tensor");
    const uint32_t pc = CALLER_PC, offset = to & (shared_span - 1);
    proxy_of(w);
    Untraced quiet;
    const TensorMap m = read_map(w, map, dimensions, pc);
    check_place(w, m, offset, pc);
    BulkCopy copy = {};
    copy.bytes = bytes_of_box(m);
    copy.pc = pc;
    copy.swizzle = m.swizzle;
    copy.box = std::make_shared<const Box>(box_at(m, at, offset));
    if (w->tracing)
        check_global(w, *copy.box, false, pc);
    begin_copy(w, to, barrier, blocks, copy);
}

void simgpu_store_tensor(const void *map, const int *at, unsigned dimensions, unsigned from)
{
    Worker *w = kernel_only("cp.async.bulk.tensor");
    const uint32_t pc = CALLER_PC;
    proxy_of(w);
    Untraced quiet;
    const TensorMap m = read_map(w, map, dimensions, pc);
    check_place(w, m, from, pc);
    begin_store(w, from, bytes_of_box(m), box_at(m, at, from), pc);
}

} // extern "C"

} // namespace simgpu
