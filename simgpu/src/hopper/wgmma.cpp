/* SPDX-License-Identifier: MIT */
/** @file wgmma.cpp
 * Products of a warpgroup, whose operands are in shared memory, and of a warp's registers. A
 * product of a warpgroup runs when somebody waits for it: until then its operands are not read,
 * and its sums are not written.
 */
#include "src/hopper/async_proxy.h"

#include <algorithm>

namespace simgpu
{

namespace
{

constexpr unsigned line_bytes = 32; /**< of an operand of a product of a warpgroup */
constexpr unsigned piece_bytes = 16;

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

/** Lists the places of an operand of `lines` lines, line by line; if transposed, term by term.
 */
std::vector<uint32_t> places_of(const Layout &l, unsigned lines, unsigned k)
{
    std::vector<uint32_t> all;
    all.reserve(lines * line_bytes / piece_bytes);
    if (l.transposed)
        for (unsigned t = 0; t < k; t++)
            for (unsigned line = 0; line < lines; line += 8)
                all.push_back(l.place(line, t));
    else
        for (unsigned line = 0; line < lines; line++)
            for (unsigned piece = 0; piece < line_bytes / piece_bytes; piece++)
                all.push_back(l.place(line, piece));
    return all;
}

/** Lines of an operand: the elements' bytes. */
typedef unsigned char Lines[][line_bytes];

/** Reads `count` of the `lines` lines of an operand. */
void read_lines(const Worker *w, const std::vector<uint32_t> &places, bool transposed,
                unsigned lines, unsigned first, unsigned count, Lines to)
{
    if (!transposed) {
        for (unsigned i = 0; i < count * 2; i++)
            memcpy(to[i / 2] + i % 2 * piece_bytes, w->shared + places[first * 2 + i],
                   piece_bytes);
        return;
    }
    for (unsigned term = 0; term < line_bytes / 2; term++)
        for (unsigned i = 0; i < count; i += 8) {
            const unsigned char *from = w->shared + places[(term * lines + first + i) / 8];
            for (unsigned line = 0; line < 8; line++)
                memcpy(to[i + line] + term * 2, from + line * 2, 2);
        }
}

bool are_zero(const Lines from, unsigned count)
{
    uint64_t any = 0, words[line_bytes / 8];
    for (unsigned i = 0; i < count; i++) {
        memcpy(words, from[i], line_bytes);
        for (uint64_t word : words)
            any |= word;
    }
    return any == 0;
}

/** Row and column of register r of a thread's part of a 16 x 8 piece. */
unsigned row_of(unsigned thread, unsigned r) { return thread / 4 % 8 + r / 2 % 2 * 8; }
unsigned column_of(unsigned thread, unsigned r) { return thread % 4 * 2 + r % 2; }

/** Where 4 bytes of A in a thread's register r are: rows r and r + 8, then further terms. */
unsigned char *word_of(Lines lines, unsigned thread, unsigned r)
{
    return lines[thread / 4 % 8 + r % 2 * 8] + (r / 2 * 4 + thread % 4) * 4;
}

/** Turns [line][term] into [term][line]. */
template <class T> void turn(const T *from, unsigned lines, unsigned k, T *to)
{
    for (unsigned line = 0; line < lines; line++)
        for (unsigned t = 0; t < k; t++)
            to[t * lines + line] = from[line * k + t];
}

template <class T> void multiply(const Worker *w, const Product &product)
{
    const simgpu_product_t &p = product.what;
    const unsigned rows = 64, at_once = 8, columns = 32;
    /* Not on the stack of a kernel's thread, which is small. */
    alignas(64) static thread_local T a[rows * 32], turned[columns * 32], b[columns * 32],
        sums[rows * columns];
    unsigned char lines[rows][line_bytes];
    if (p.a_in_registers)
        for (unsigned t = 0; t < warpgroup; t++)
            for (unsigned r = 0; r < 4; r++)
                memcpy(word_of(lines + t / 32 * 16, t, r), &product.left[t][r], 4);
    else
        read_lines(w, product.a, p.transposed_a, rows, 0, rows, lines);
    /* Small matrices are padded with zeros, which need no work. */
    bool finite = take_elements(lines[0], p.type, rows * p.k, a), skip[rows / at_once];
    for (unsigned i = 0; i < rows; i += at_once)
        skip[i / at_once] = are_zero(lines + i, at_once);
    if (p.negate_a != p.negate_b)
        for (T &value : a)
            value = -value;
    for (unsigned first = 0; first < p.n; first += columns) {
        const unsigned n = std::min(columns, p.n - first);
        read_lines(w, product.b, p.transposed_b, p.n, first, n, lines);
        const bool all_finite = take_elements(lines[0], p.type, n * p.k, turned) && finite,
                   nothing = all_finite && are_zero(lines, n);
        if (nothing && p.add)
            continue;
        turn(turned, n, p.k, b);
        auto each_pair =
            [&](auto visit) { /* of neighbouring columns */
                              for (unsigned t = 0; t < warpgroup; t++)
                                  for (unsigned r = 0; r < n / 2; r += 2)
                                      visit(static_cast<T *>(product.sums[t]) + first / 2 + r,
                                            &sums[(t / 32 * 16 + row_of(t, r)) * n + r / 4 * 8 +
                                                  column_of(t, r)]);
            };
        if (p.add)
            each_pair([](T *theirs, T *mine) { memcpy(mine, theirs, 2 * sizeof(T)); });
        else
            std::fill(sums, sums + rows * n, T());
        for (unsigned i = 0; i < rows && !nothing; i += at_once)
            if (!all_finite || !skip[i / at_once])
                tensor_product(a + i * p.k, b, sums + i * n, at_once, n, p.k,
                               least_exponent(p.type));
        each_pair([](T *theirs, T *mine) { memcpy(theirs, mine, 2 * sizeof(T)); });
    }
}

/** The product of a warp, whose lanes have these simgpu_fragments_t. Shorter lines are filled
 * up with zeros. */
template <class T> void multiply_fragments(const uint64_t all[32])
{
    unsigned char left[16][line_bytes] = {}, right[8][line_bytes] = {};
    T a[16 * 32], b[8 * 32], turned[8 * 32], c[16 * 8];
    auto lane_at = [&](unsigned lane) -> simgpu_fragments_t & {
        return *reinterpret_cast<simgpu_fragments_t *>(all[lane]);
    };
    const simgpu_element type = lane_at(0).type;
    const unsigned k = line_bytes / size_of(type), words = lane_at(0).k * size_of(type) / 8;
    for (unsigned lane = 0; lane < 32; lane++) {
        const simgpu_fragments_t &l = lane_at(lane);
        for (unsigned r = 0; r < words; r++)
            memcpy(word_of(left, lane, r), &l.a[r], 4);
        for (unsigned r = 0; r < words / 2; r++)
            memcpy(right[lane / 4] + (r * 4 + lane % 4) * 4, &l.b[r], 4);
        for (unsigned r = 0; r < 4; r++)
            memcpy(&c[row_of(lane, r) * 8 + column_of(lane, r)], &l.c[r], 4);
    }
    take_elements(left[0], type, 16 * k, a);
    take_elements(right[0], type, 8 * k, turned);
    turn(turned, 8, k, b);
    tensor_product(a, b, c, 16, 8, k, least_exponent(type));
    for (unsigned lane = 0; lane < 32; lane++) {
        for (unsigned r = 0; r < 4; r++)
            memcpy(&lane_at(lane).d[r], &c[row_of(lane, r) * 8 + column_of(lane, r)], 4);
        lane_at(lane).done = 1;
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
    for (const std::vector<uint32_t> *operand : {&p.a, &p.b})
        for (uint32_t place : *operand)
            if (!each_touch(w, place, piece_bytes, look))
                return;
}

/** The last thread of a warpgroup has begun a product: are its operands there? */
SIMGPU_COLD void check_operands(Worker *w, const Product &p)
{
    for (const BulkCopy &copy : w->proxy->copies)
        for (const std::vector<uint32_t> *operand : {&p.a, &p.b})
            for (uint32_t place : *operand)
                if (place < copy.offset + copy.bytes && copy.offset < place + piece_bytes)
                    return copy_race(w, p.pc, false, copy.pc, place);
    each_word(w, p,
              [&](Touch &t, uint32_t at) { return may_read_async(w, t, at, "product", p.pc); });
}

/** A product runs: has anybody overwritten its operands since it began? */
SIMGPU_COLD void check_overwritten(Worker *w, const Product &p)
{
    each_word(w, p, [&](Touch &t, uint32_t at) {
        if (t.write_time > p.time) {
            kernel_fault(
                w, SIMGPU_MISSING_WAIT,
                at_pcs(t.write_pc, p.pc,
                       "Wait for the products that read the bytes (wgmma.wait_group) before "
                       "you overwrite them, or let others do so."),
                "has begun a product that may still read %s when it is overwritten here",
                shared_byte(w->launch, at).c_str());
            return false;
        }
        t.reader = (uint16_t)(w->current / warpgroup * warpgroup);
        t.read_pc = p.pc;
        t.read_time = w->clock;
        return true;
    });
}

/** Ends the launch if the descriptor leads out of the array that it begins in. */
void check_layout(Worker *w, const Layout &l, const std::vector<uint32_t> &pieces, char name,
                  uint32_t pc)
{
    const SharedArray *array = nearest_shared_array(w->launch, l.start);
    const uint32_t low = *std::min_element(pieces.begin(), pieces.end()),
                   high = *std::max_element(pieces.begin(), pieces.end()) + piece_bytes;
    if (l.transposed && l.swizzle != 128) {
        kernel_fault(w, SIMGPU_NOT_SIMULATED, {pc},
                     "begins a product whose operand %c is stored along its lines with a "
                     "swizzle of %u bytes; 128 are simulated",
                     name, l.swizzle);
    } else if (l.swizzle > 16 && l.start / 128 % (l.swizzle / 16)) {
        kernel_fault(w, SIMGPU_BAD_CALL,
                     at_pc(pc,
                           "Let the tile begin at a multiple of 1024 bytes (512, 256 for the "
                           "shorter swizzles), and advance along k within its first row only."),
                     "begins a product whose operand %c begins in row %u of a swizzle of %u "
                     "bytes, not in its first row",
                     name, l.start / 128 % (l.swizzle / 16), l.swizzle);
    } else if (array && (low < array->offset || high > array->offset + array->size)) {
        kernel_fault(w, SIMGPU_OUT_OF_BOUNDS_SHARED,
                     at_pc(pc, "Compare the descriptor's start, its offsets and the number of "
                               "rows with the tile."),
                     "begins a product whose operand %c has %zu pieces of 16 bytes between "
                     "byte %d and byte %d of %s, which has %zu bytes",
                     name, pieces.size(), (int)(low - array->offset),
                     (int)(high - array->offset), array->name, array->size);
    } else {
        return check_swizzle(w, l.start, l.swizzle, name, pc);
    }
    abort_launch(w, cudaErrorIllegalAddress);
}

/** All threads have begun it. */
void begin_product(Worker *w, Product &p)
{
    Layout b(p.what.b, p.what.transposed_b);
    p.b = places_of(b, p.what.n, p.what.k);
    check_layout(w, b, p.b, 'B', p.pc);
    if (!p.what.a_in_registers) {
        Layout a(p.what.a, p.what.transposed_a);
        p.a = places_of(a, 64, p.what.k);
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
            for (const std::vector<uint32_t> *operand : {&p.a, &p.b})
                for (uint32_t place : *operand)
                    if (place < offset + bytes && offset < place + piece_bytes)
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
        kernel_fault(w, SIMGPU_MISSING_WAIT,
                     at_pcs(pc, p.pc,
                            "Wait for the products first: wgmma.commit_group, then "
                            "wgmma.wait_group 0."),
                     "uses sum %u of a product that may not be done",
                     (unsigned)(address - sums) / 4);
        return;
    }
}

extern "C" {

void simgpu_wgmma(const simgpu_product_t *product, void *sums)
{
    Worker *w = kernel_only("wgmma.mma_async");
    const uint32_t pc = CALLER_PC;
    Untraced quiet;
    Warpgroup &group = warpgroup_of(w, w->current);
    const unsigned mine = w->current % warpgroup;
    if (!sums) {
        kernel_fault(w, SIMGPU_NOT_SIMULATED, {pc},
                     "begins a product whose sums are not one array");
        abort_launch(w, cudaErrorNotSupported);
    }
    if (!group.fenced[mine] && w->tracing) {
        kernel_fault(w, SIMGPU_MISSING_WAIT,
                     at_pc(pc,
                           "Call wgmma.fence before the first product, and after the thread "
                           "has written its sums or its part of A."),
                     "begins a product, and no wgmma.fence came before: the product may read "
                     "its registers before the thread has written them");
    }
    const size_t index = group.begun[mine]++ - group.first;
    if (index == group.products.size())
        group.products.emplace_back();
    Product &p = group.products[index];
    p.what = *product;
    p.pc = pc;
    p.sums[mine] = sums;
    if (product->a_in_registers) {
        p.left.resize(warpgroup);
        std::copy(product->left, product->left + 4, p.left[mine].begin());
    }
    if (++p.begun == std::min(warpgroup, w->threads_count - w->current / warpgroup * warpgroup))
        begin_product(w, p);
}

void simgpu_wgmma_fence()
{
    Worker *w = kernel_only("wgmma.fence");
    warpgroup_of(w, w->current).fenced[w->current % warpgroup] = true;
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
    const uint64_t until = ends[ends.size() - 1 - groups];
    ends.erase(ends.begin(), ends.end() - groups);
    wait_for_phase(w, {PhaseWait::products, CALLER_PC, 0, 0, until});
}

void simgpu_fragments(simgpu_fragments_t *mine)
{
    kernel_only("mma.sync");
    uint64_t all[32];
    simgpu_gather(0xffffffffu, (uintptr_t)mine, all);
    if (mine->done)
        return;
    Untraced quiet;
    if (mine->type == simgpu_int8 || mine->type == simgpu_uint8)
        multiply_fragments<int32_t>(all);
    else
        multiply_fragments<float>(all);
}

} // extern "C"

} // namespace simgpu
