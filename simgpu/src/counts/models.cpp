/* SPDX-License-Identifier: MIT */
/** @file models.cpp
 * The rules by which the accesses of a half-warp or warp become transactions, and passes
 * through the banks of shared memory. No state: a request goes in, a cost comes out.
 */
#include "src/counts/counts.h"

namespace simgpu
{

namespace
{

/** An aligned piece of memory that a request touches, with one bit for each byte of it used. */
struct Touched {
    uint64_t segment; /* address / 128 */
    uint64_t low, high;
};

/** The 128-byte segments of a request, in order of the lowest lane that touches each. */
unsigned touched_segments(const Request &r, Touched *out)
{
    unsigned count = 0;
    for (unsigned i = 0; i < r.lanes; i++) {
        uint64_t address = r.address[i];
        unsigned left = r.size;
        while (left) { /* once, unless the access is misaligned */
            uint64_t segment = address >> 7;
            unsigned offset = address & 127, part = std::min(left, 128 - offset);
            unsigned s = 0;
            while (s < count && out[s].segment != segment)
                s++;
            if (s == count)
                out[count++] = {segment, 0, 0};
            uint64_t bits = part >= 64 ? ~0ull : (1ull << part) - 1;
            if (offset < 64) {
                out[s].low |= bits << offset;
                if (offset + part > 64)
                    out[s].high |= bits >> (64 - offset);
            } else {
                out[s].high |= bits << (offset - 64);
            }
            address += part;
            left -= part;
        }
    }
    return count;
}

/** Compute capability 1.3 narrows a segment to the half or quarter that is used. */
Segment narrowed(const Touched &t, unsigned widest)
{
    uint64_t begin = t.segment << 7, bits = 0;
    if (t.low && t.high && widest == 128)
        return {begin, 128};
    /* `widest` is below 128 for words of 1 and 2 bytes, which the caller has split already. */
    if (t.low) {
        bits = t.low;
    } else {
        bits = t.high;
        begin += 64;
    }
    if ((bits & 0xffffffffull) && bits >> 32)
        return {begin, 64};
    return {(bits & 0xffffffffull) ? begin : begin + 32, 32};
}

/** Segments of compute capability 1.3: 128 bytes for words of 4 bytes or more, 64 bytes for
 * words of 2 bytes, 32 for 1. */
unsigned c1060_segments(const Request &r, const Touched *touched, unsigned count, Segment *out)
{
    unsigned n = 0, widest = r.size >= 4 ? 128 : r.size == 2 ? 64 : 32;
    for (unsigned i = 0; i < count; i++) {
        const Touched &t = touched[i];
        if (widest == 128) {
            out[n++] = narrowed(t, 128);
            continue;
        }
        for (int half = 0; half < 2; half++) {
            uint64_t bits = half ? t.high : t.low;
            if (!bits)
                continue;
            Touched part = half ? Touched{t.segment, 0, bits} : Touched{t.segment, bits, 0};
            bool both = (bits & 0xffffffffull) && bits >> 32;
            if (widest == 32 && both) {
                uint64_t begin = (t.segment << 7) + (half ? 64 : 0);
                out[n++] = {begin, 32};
                out[n++] = {begin + 32, 32};
            } else {
                out[n++] = narrowed(part, widest);
            }
        }
    }
    return n;
}

/** Modern: each 32-byte sector is a transaction. */
unsigned modern_segments(const Touched *touched, unsigned count, Segment *out)
{
    unsigned n = 0;
    for (unsigned i = 0; i < count; i++)
        for (unsigned sector = 0; sector < 4; sector++)
            if ((sector < 2 ? touched[i].low : touched[i].high) >> sector % 2 * 32 &
                0xffffffffull)
                out[n++] = {(touched[i].segment << 7) + sector * 32, 32};
    return n;
}

/**
 * Passes of a half-warp over 16 banks for one 32-bit word of each lane. In each pass one word
 * can be broadcast to all lanes that read it, and every other bank serves one lane. The
 * broadcast takes the word that most lanes still want. Stores to one word are one store.
 */
unsigned c1060_passes(const uint64_t *words, unsigned lanes, bool store)
{
    unsigned banks_seen = 0;
    bool all_same = true, no_bank_twice = true;
    for (unsigned i = 0; i < lanes; i++) {
        unsigned bank = 1u << words[i] % 16;
        no_bank_twice &= !(banks_seen & bank);
        banks_seen |= bank;
        all_same &= words[i] == words[0];
    }
    if (all_same || no_bank_twice)
        return 1;

    struct {
        uint64_t word;
        unsigned waiting;
    } wanted[32];
    unsigned count = 0, passes = 0;
    for (unsigned i = 0; i < lanes; i++) {
        unsigned w = 0;
        while (w < count && wanted[w].word != words[i])
            w++;
        if (w == count)
            wanted[count++] = {words[i], 0};
        if (wanted[w].waiting == 0 || !store)
            wanted[w].waiting++;
    }
    for (;;) {
        unsigned broadcast = count;
        for (unsigned w = 0; w < count; w++)
            if (wanted[w].waiting &&
                (broadcast == count || wanted[w].waiting > wanted[broadcast].waiting))
                broadcast = w;
        if (broadcast == count)
            return passes;
        passes++;
        unsigned busy = 1u << wanted[broadcast].word % 16;
        wanted[broadcast].waiting = 0;
        for (unsigned w = 0; w < count; w++) {
            unsigned bank = 1u << wanted[w].word % 16;
            if (wanted[w].waiting && !(busy & bank)) {
                busy |= bank;
                wanted[w].waiting--;
            }
        }
    }
}

/** Passes over 32 banks: the largest number of different words in one bank. */
unsigned modern_passes(uint64_t *words, unsigned count)
{
    unsigned per_bank[32] = {0}, passes = 0;
    std::sort(words, words + count);
    count = (unsigned)(std::unique(words, words + count) - words);
    for (unsigned i = 0; i < count; i++)
        passes = std::max(passes, ++per_bank[words[i] % 32]);
    return passes;
}

} // namespace

unsigned list_segments(simgpu_model model, const Request &request, Segment *out)
{
    Touched touched[64];
    unsigned count = touched_segments(request, touched);
    return model == SIMGPU_C1060 ? c1060_segments(request, touched, count, out)
                                 : modern_segments(touched, count, out);
}

GlobalCost global_cost(simgpu_model model, const Request &request)
{
    Touched touched[64];
    Segment segments[128];
    unsigned count = touched_segments(request, touched);
    GlobalCost cost = {};
    for (unsigned i = 0; i < count; i++)
        cost.useful += (unsigned)(__builtin_popcountll(touched[i].low) +
                                  __builtin_popcountll(touched[i].high));
    cost.transactions = model == SIMGPU_C1060
                            ? c1060_segments(request, touched, count, segments)
                            : modern_segments(touched, count, segments);
    for (unsigned i = 0; i < cost.transactions; i++)
        cost.bytes += segments[i].bytes;
    return cost;
}

SharedCost shared_cost(simgpu_model model, const Request &r)
{
    unsigned words = std::max(r.size / 4, 1u);
    bool store = r.op != Op::shared_load;
    SharedCost cost = {};
    if (model == SIMGPU_C1060) {
        /* A wider access is one request for each of its 32-bit words. */
        uint64_t address[32];
        for (unsigned part = 0; part < words; part++) {
            for (unsigned i = 0; i < r.lanes; i++)
                address[i] = r.address[i] / 4 + part;
            cost.passes += c1060_passes(address, r.lanes, store);
            cost.ideal++;
        }
        return cost;
    }
    /* Wider accesses are served for a half or a quarter of the warp at a time. */
    unsigned lanes_at_once = 32 / words;
    for (unsigned first = 0; first < 32; first += lanes_at_once) {
        uint64_t address[32];
        unsigned count = 0;
        for (unsigned i = 0; i < r.lanes; i++)
            if (r.lane[i] >= first && r.lane[i] < first + lanes_at_once)
                for (unsigned part = 0; part < words; part++)
                    address[count++] = r.address[i] / 4 + part;
        if (count) {
            cost.passes += modern_passes(address, count);
            cost.ideal++;
        }
    }
    return cost;
}

} // namespace simgpu
