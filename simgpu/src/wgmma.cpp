/* SPDX-License-Identifier: MIT */
/** @file wgmma.cpp
 * Products of a warpgroup, whose operands are in shared memory, and of a warp's registers. A
 * product of a warpgroup runs when somebody waits for it: until then its operands are not read,
 * and its sums are not written.
 */
#include "async_proxy.h"

#include <algorithm>

namespace simgpu
{

namespace
{

unsigned bytes_of(simgpu_element type)
{
    return type == simgpu_float ? 4 : type == simgpu_int8 || type == simgpu_uint8 ? 1 : 2;
}

/** An operand in shared memory, as its descriptor says. */
struct Layout {
    uint32_t start, along_k, along_lines; /**< bytes from one group to the next */
    unsigned swizzle;                     /**< bytes of a row: 128, 64, 32, or 16 for none */
    bool transposed;

    Layout(unsigned long long d, bool transposed) : transposed(transposed)
    {
        static const unsigned rows[4] = {16, 128, 64, 32};
        start = (uint32_t)(d & 0x3fff) << 4;
        along_k = (uint32_t)(d >> 16 & 0x3fff) << 4;
        along_lines = (uint32_t)(d >> 32 & 0x3fff) << 4;
        swizzle = rows[d >> 62 & 3];
    }
    /** Pieces of 16 bytes: where piece `piece` of a line is; if transposed, where 8 lines of
     * term k are. */
    uint32_t place(unsigned line, unsigned piece) const
    {
        uint32_t at;
        if (transposed) /* rows of 64 lines, one for each term */
            at = start + line / 64 * along_k + piece / 8 * along_lines + piece % 8 * 128 +
                 line % 64 * 2;
        else if (swizzle == 16)
            at = start + line / 8 * along_lines + piece * along_k + line % 8 * 16;
        else
            at = start + line / 8 * along_lines + line % 8 * swizzle + piece * 16;
        return at ^ (at >> 7 & (swizzle / 16 - 1)) << 4;
    }
};

/** Lists the places of an operand of `lines` lines. */
std::vector<Piece> pieces_of(const Layout &l, unsigned lines, unsigned k, unsigned size)
{
    std::vector<Piece> all;
    if (l.transposed)
        for (unsigned t = 0; t < k; t++)
            for (unsigned line = 0; line < lines; line += 8)
                all.push_back({l.place(line, t), 16});
    else
        for (unsigned line = 0; line < lines; line++)
            for (unsigned piece = 0; piece < k * size / 16; piece++)
                all.push_back({l.place(line, piece), 16});
    return all;
}

template <class T> T element(const unsigned char *at, simgpu_element type)
{
    uint16_t half;
    uint32_t word;
    switch (type) {
    case simgpu_int8:
        return (T) * (const int8_t *)at;
    case simgpu_uint8:
        return (T)*at;
    case simgpu_float: /* 10 bits of the fraction */
        memcpy(&word, at, sizeof word);
        word &= ~0x1fffu;
        break;
    case simgpu_half:
        memcpy(&half, at, sizeof half);
        return (T)half_value(half);
    default:
        memcpy(&half, at, sizeof half);
        word = (uint32_t)half << 16;
    }
    float value;
    memcpy(&value, &word, sizeof value);
    return (T)value;
}

/** The operand as a matrix [k][lines], or [lines][k]. */
template <class T>
void read_operand(const Worker *w, const std::vector<Piece> &pieces, const simgpu_product_t &p,
                  bool transposed, unsigned lines, bool by_term, T *to)
{
    const unsigned size = bytes_of(p.type), each = 16 / size;
    auto put = [&](unsigned line, unsigned term, T value) {
        to[by_term ? term * lines + line : line * p.k + term] = value;
    };
    for (size_t i = 0; i < pieces.size(); i++)
        for (unsigned e = 0; e < each; e++) {
            T value = element<T>(w->shared + pieces[i].offset + e * size, p.type);
            if (transposed)
                put((unsigned)(i % (lines / 8)) * 8 + e, (unsigned)(i / (lines / 8)), value);
            else
                put((unsigned)(i / (p.k / each)), (unsigned)(i % (p.k / each)) * each + e,
                    value);
        }
}

/** Row and column of register r of a thread's part of a 16 x 8 piece. */
unsigned row_of(unsigned thread, unsigned r) { return thread / 4 % 8 + r / 2 % 2 * 8; }
unsigned column_of(unsigned thread, unsigned r) { return thread % 4 * 2 + r % 2; }

/** A from registers: four of each thread, of 4 bytes: rows r and r + 8, then the second half of
 * the terms. */
template <class T> void read_registers(const Product &product, T *to)
{
    const simgpu_product_t &p = product.what;
    const unsigned size = bytes_of(p.type), each = 4 / size;
    for (unsigned t = 0; t < warpgroup; t++)
        for (unsigned r = 0; r < 4; r++)
            for (unsigned e = 0; e < each; e++)
                to[(t / 32 * 16 + t / 4 % 8 + r % 2 * 8) * p.k + r / 2 * p.k / 2 +
                   t % 4 * each + e] =
                    element<T>((const unsigned char *)&product.left[t][r] + e * size, p.type);
}

/** Is no value 0 times infinity? Then zeros change no sum. */
template <class T> bool are_finite(const std::vector<T> &values)
{
    T sum = 0;
    for (T value : values)
        sum += value - value;
    return sum == 0;
}

template <class T> bool are_zero(const T *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (values[i] != 0)
            return false;
    return true;
}

template <class T> void multiply(const Worker *w, const Product &product)
{
    const simgpu_product_t &p = product.what;
    std::vector<T> a(64 * p.k), b(p.k * p.n);
    alignas(64) T columns[32 * 32], sums[64 * 32];
    if (p.a_in_registers)
        read_registers(product, a.data());
    else
        read_operand(w, product.a, p, p.transposed_a, 64, false, a.data());
    read_operand(w, product.b, p, p.transposed_b, p.n, true, b.data());
    if (p.negate_a != p.negate_b)
        for (T &value : a)
            value = -value;
    /* Small matrices are padded with zeros, which need no work. */
    const unsigned at_once = 8;
    const bool finite = are_finite(a) && are_finite(b);
    bool skip[64 / at_once], skip_all = true;
    for (unsigned i = 0; i < 64 / at_once; i++) {
        skip[i] = finite && are_zero(&a[i * at_once * p.k], at_once * p.k);
        skip_all &= skip[i];
    }
    for (unsigned first = 0; first < p.n; first += 32) {
        const unsigned n = std::min(32u, p.n - first);
        for (unsigned k = 0; k < p.k; k++)
            memcpy(columns + k * n, &b[k * p.n + first], n * sizeof(T));
        const bool nothing = skip_all || (finite && are_zero(columns, p.k * n));
        if (nothing && p.add)
            continue;
        auto each_sum = [&](auto visit) {
            for (unsigned t = 0; t < warpgroup; t++)
                for (unsigned r = 0; r < n / 2; r++)
                    visit(static_cast<T *>(product.sums[t])[first / 2 + r],
                          sums[(t / 32 * 16 + row_of(t, r)) * n + r / 4 * 8 + column_of(t, r)]);
        };
        if (p.add)
            each_sum([](T &theirs, T &mine) { mine = theirs; });
        else
            std::fill(sums, sums + 64 * n, T());
        for (unsigned i = 0; i < 64 / at_once && !nothing; i++)
            if (!skip[i])
                tensor_product(&a[i * at_once * p.k], columns, sums + i * at_once * n, at_once,
                               n, p.k);
        each_sum([](T &theirs, T &mine) { theirs = mine; });
    }
}

Warpgroup &warpgroup_of(Worker *w, uint32_t thread)
{
    Proxy &proxy = proxy_of(w);
    if (proxy.warpgroups.empty())
        proxy.warpgroups.resize((w->threads_count + warpgroup - 1) / warpgroup);
    return proxy.warpgroups[thread / warpgroup];
}

/* ---- who has not waited ---- */

template <class F> void each_word(Worker *w, const Product &p, F look)
{
    for (const std::vector<Piece> *operand : {&p.a, &p.b})
        for (const Piece &piece : *operand)
            if (!each_touch(w, piece.offset, piece.bytes, look))
                return;
}

/** The last thread of a warpgroup has begun a product: are its operands there? */
SIMGPU_COLD void check_operands(Worker *w, const Product &p)
{
    for (const BulkCopy &copy : w->proxy->copies)
        for (const std::vector<Piece> *operand : {&p.a, &p.b})
            for (const Piece &piece : *operand)
                if (piece.offset < copy.offset + copy.bytes &&
                    copy.offset < piece.offset + piece.bytes)
                    return copy_race(w, p.pc, false, copy.pc, piece.offset);
    each_word(w, p, [&](Touch &t, uint32_t at) { return may_read_async(w, t, at, "product", p.pc); });
}

/** A product runs: has anybody overwritten its operands since it began? */
SIMGPU_COLD void check_overwritten(Worker *w, const Product &p)
{
    each_word(w, p, [&](Touch &t, uint32_t at) {
        if (t.write_time > p.time) {
            FaultPlace place{t.write_pc, p.pc};
            const SharedArray *array = nearest_shared_array(w->launch, at);
            place.advice =
                "Wait for the products that read the bytes (wgmma.wait_group) before "
                "you overwrite them, or let others do so.";
            kernel_fault(w, SIMGPU_MISSING_WAIT, place,
                         "has begun a product that may still read byte %u of %s when it is "
                         "overwritten here",
                         at - (array ? array->offset : 0),
                         array ? array->name : "shared memory");
            return false;
        }
        t.reader = (uint16_t)(w->current / warpgroup * warpgroup);
        t.read_pc = p.pc;
        t.read_time = w->clock;
        return true;
    });
}

/** Ends the launch if the descriptor leads out of the array that it begins in. */
void check_layout(Worker *w, const Layout &l, const std::vector<Piece> &pieces, char name,
                  uint32_t pc)
{
    const SharedArray *array = nearest_shared_array(w->launch, l.start);
    FaultPlace place{pc};
    uint32_t low = ~0u, high = 0;
    for (const Piece &piece : pieces) {
        low = std::min(low, piece.offset);
        high = std::max(high, piece.offset + piece.bytes);
    }
    if (l.transposed && l.swizzle != 128) {
        kernel_fault(
            w, SIMGPU_NOT_SIMULATED, place,
            "begins a product whose operand %c is stored along its lines with a swizzle "
            "of %u bytes; 128 are simulated",
            name, l.swizzle);
    } else if (l.swizzle > 16 && l.start / 128 % (l.swizzle / 16)) {
        place.advice =
            "Let the tile begin at a multiple of 1024 bytes (512, 256 for the shorter "
            "swizzles), and advance along k within its first row only.";
        kernel_fault(w, SIMGPU_BAD_CALL, place,
                     "begins a product whose operand %c begins in row %u of a swizzle of %u "
                     "bytes, not in its first row",
                     name, l.start / 128 % (l.swizzle / 16), l.swizzle);
    } else if (array && (low < array->offset || high > array->offset + array->size)) {
        place.advice =
            "Compare the descriptor's start, its offsets and the number of rows with "
            "the tile.";
        kernel_fault(
            w, SIMGPU_OUT_OF_BOUNDS_SHARED, place,
            "begins a product whose operand %c has %zu pieces of 16 bytes between byte "
            "%d and byte %d of %s, which has %zu bytes",
            name, pieces.size(), (int)(low - array->offset), (int)(high - array->offset),
            array->name, array->size);
    } else {
        return check_swizzle(w, l.start, l.swizzle, name, pc);
    }
    abort_launch(w, cudaErrorIllegalAddress);
}

/** All threads have begun it. */
void begin_product(Worker *w, Product &p)
{
    const unsigned size = bytes_of(p.what.type);
    Layout b(p.what.b, p.what.transposed_b);
    p.b = pieces_of(b, p.what.n, p.what.k, size);
    check_layout(w, b, p.b, 'B', p.pc);
    if (!p.what.a_in_registers) {
        Layout a(p.what.a, p.what.transposed_a);
        p.a = pieces_of(a, 64, p.what.k, size);
        check_layout(w, a, p.a, 'A', p.pc);
    }
    if (w->tracing)
        check_operands(w, p);
    p.time = w->clock++;
    w->products_run = true;
}

void run_product(Worker *w, Product &p)
{
    if (w->tracing)
        check_overwritten(w, p);
    if (p.what.type == simgpu_int8 || p.what.type == simgpu_uint8)
        multiply<int32_t>(w, p);
    else
        multiply<float>(w, p);
}

bool are_products_left(Worker *w)
{
    for (const Warpgroup &group : w->proxy->warpgroups)
        if (!group.products.empty())
            return true;
    return false;
}

} // namespace

bool products_done(Worker *w, uint32_t thread, uint64_t until)
{
    Warpgroup &group = warpgroup_of(w, thread);
    while (group.first < until) {
        Product &p = group.products.front();
        if (p.begun < std::min(warpgroup, w->threads_count - thread / warpgroup * warpgroup))
            return false;
        Untraced quiet;
        run_product(w, p);
        group.products.pop_front();
        group.first++;
    }
    w->products_run = are_products_left(w);
    return true;
}

uint32_t reading_product(Worker *w, uint32_t offset, uint32_t bytes)
{
    for (const Warpgroup &group : w->proxy->warpgroups)
        for (const Product &p : group.products)
            for (const std::vector<Piece> *operand : {&p.a, &p.b})
                for (const Piece &piece : *operand)
                    if (piece.offset < offset + bytes && offset < piece.offset + piece.bytes)
                        return p.pc;
    return 0;
}

void product_meets(Worker *w, uintptr_t address, unsigned size, uint32_t pc)
{
    Untraced quiet;
    if (w->proxy->warpgroups.empty())
        return;
    for (const Product &p : w->proxy->warpgroups[w->current / warpgroup].products) {
        const uintptr_t sums = (uintptr_t)p.sums[w->current % warpgroup];
        if (!sums || address + size <= sums || sums + p.what.n / 2 * 4 <= address)
            continue;
        FaultPlace place{pc, p.pc};
        place.advice = "Wait for the products first: wgmma.commit_group, then "
                       "wgmma.wait_group 0.";
        kernel_fault(w, SIMGPU_MISSING_WAIT, place,
                     "uses sum %u of a product that may not be done",
                     (unsigned)(address - sums) / 4);
        return;
    }
}

} // namespace simgpu

using namespace simgpu;

extern "C" {

void simgpu_wgmma(const simgpu_product_t *product, void *const *sums)
{
    Worker *w = kernel_only("wgmma.mma_async");
    const uint32_t pc = CALLER_PC;
    Untraced quiet;
    Warpgroup &group = warpgroup_of(w, w->current);
    const unsigned mine = w->current % warpgroup;
    for (unsigned i = 1; i < product->n / 2; i++)
        if (sums[i] != static_cast<unsigned *>(sums[0]) + i) {
            kernel_fault(w, SIMGPU_NOT_SIMULATED, {pc},
                         "begins a product whose sums are not one array");
            abort_launch(w, cudaErrorNotSupported);
        }
    const size_t index = group.begun[mine]++ - group.first;
    if (index == group.products.size())
        group.products.emplace_back();
    Product &p = group.products[index];
    p.what = *product;
    p.pc = pc;
    p.sums[mine] = sums[0];
    if (product->a_in_registers) {
        p.left.resize(warpgroup);
        std::copy(product->left, product->left + 4, p.left[mine].begin());
    }
    if (++p.begun == std::min(warpgroup, w->threads_count - w->current / warpgroup * warpgroup))
        begin_product(w, p);
}

void simgpu_wgmma_commit()
{
    Worker *w = kernel_only("wgmma.commit_group");
    Warpgroup &group = warpgroup_of(w, w->current);
    const unsigned mine = w->current % warpgroup;
    group.groups[mine].push_back(group.begun[mine]);
}

void simgpu_wgmma_wait(unsigned groups)
{
    Worker *w = kernel_only("wgmma.wait_group");
    std::vector<uint64_t> &ends = warpgroup_of(w, w->current).groups[w->current % warpgroup];
    if (ends.size() <= groups)
        return;
    PhaseWait wait;
    wait.what = PhaseWait::products;
    wait.pc = CALLER_PC;
    wait.until = ends[ends.size() - 1 - groups];
    ends.erase(ends.begin(), ends.end() - groups);
    wait_for_phase(w, wait);
}

void simgpu_fragments(simgpu_fragments_t *mine)
{
    Worker *w = kernel_only("mma.sync");
    uint64_t all[32];
    simgpu_gather(0xffffffffu, (uintptr_t)mine, all);
    if (mine->done)
        return;
    Untraced quiet;
    (void)w;
    const unsigned k = mine->k, size = bytes_of(mine->type), each = 4 / size;
    float a[16 * 16], b[16 * 8], c[16 * 8];
    int32_t a_bytes[16 * 32], b_bytes[32 * 8], c_bytes[16 * 8];
    const bool bytes = size == 1;
    auto each_lane = [&](auto visit) {
        for (unsigned lane = 0; lane < 32; lane++)
            visit(*reinterpret_cast<simgpu_fragments_t *>(all[lane]), lane);
    };
    auto put = [&](float *to, int32_t *to_bytes, unsigned at, const unsigned *word,
                   unsigned e) {
        const unsigned char *from = (const unsigned char *)word + e * size;
        if (bytes)
            to_bytes[at] = element<int32_t>(from, mine->type);
        else
            to[at] = element<float>(from, mine->type);
    };
    const unsigned words = k * size / 8; /* of A in a lane */
    each_lane([&](simgpu_fragments_t &l, unsigned lane) {
        for (unsigned r = 0; r < words; r++)
            for (unsigned e = 0; e < each; e++)
                put(a, a_bytes,
                    (lane / 4 + r % 2 * 8) * k + r / 2 * 4 * each + lane % 4 * each + e,
                    &l.a[r], e);
        for (unsigned r = 0; r < words / 2; r++)
            for (unsigned e = 0; e < each; e++)
                put(b, b_bytes, (r * 4 * each + lane % 4 * each + e) * 8 + lane / 4, &l.b[r],
                    e);
        for (unsigned r = 0; r < 4; r++) {
            unsigned at = row_of(lane, r) * 8 + column_of(lane, r);
            memcpy(bytes ? (void *)&c_bytes[at] : &c[at], &l.c[r], 4);
        }
    });
    if (bytes)
        tensor_product(a_bytes, b_bytes, c_bytes, 16, 8, k);
    else
        tensor_product(a, b, c, 16, 8, k);
    each_lane([&](simgpu_fragments_t &l, unsigned lane) {
        for (unsigned r = 0; r < 4; r++) {
            unsigned at = row_of(lane, r) * 8 + column_of(lane, r);
            memcpy(&l.d[r], bytes ? (void *)&c_bytes[at] : &c[at], 4);
        }
        l.done = 1;
    });
}

} // extern "C"
