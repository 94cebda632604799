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

/** An aligned piece of 128 bytes that a request touches, with one bit for each byte used. */
struct Touched {
    using Bytes = unsigned __int128;
    uint64_t segment; /* address / 128 */
    Bytes used;

    static Bytes some(unsigned from, unsigned count)
    {
        return ~(Bytes)0 >> (128 - count) << from;
    }
    bool any(unsigned from, unsigned count) const { return used & some(from, count); }
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
                out[count++] = {segment, 0};
            out[s].used |= Touched::some(offset, part);
            address += part;
            left -= part;
        }
    }
    return count;
}

/** Compute capability 1.3: a transaction has 128 bytes for words of 4 bytes or more, 64 for
 * words of 2 bytes, 32 for 1, and is narrowed to the half or quarter that is used. */
unsigned c1060_segments(const Request &r, const Touched *touched, unsigned count, Segment *out)
{
    unsigned n = 0, widest = r.size >= 4 ? 128 : r.size == 2 ? 64 : 32;
    for (unsigned i = 0; i < count; i++)
        for (unsigned piece = 0; piece < 128; piece += widest) {
            unsigned begin = piece, width = widest;
            if (!touched[i].any(begin, width))
                continue;
            for (; width > 32; width /= 2) {
                bool low = touched[i].any(begin, width / 2);
                if (low && touched[i].any(begin + width / 2, width / 2))
                    break;
                begin += low ? 0 : width / 2;
            }
            out[n++] = {(touched[i].segment << 7) + begin, width};
        }
    return n;
}

/** Modern: each 32-byte sector is a transaction. */
unsigned modern_segments(const Touched *touched, unsigned count, Segment *out)
{
    unsigned n = 0;
    for (unsigned i = 0; i < count; i++)
        for (unsigned sector = 0; sector < 128; sector += 32)
            if (touched[i].any(sector, 32))
                out[n++] = {(touched[i].segment << 7) + sector, 32};
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
        cost.useful += (unsigned)(__builtin_popcountll((uint64_t)touched[i].used) +
                                  __builtin_popcountll((uint64_t)(touched[i].used >> 64)));
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
