/* SPDX-License-Identifier: MIT */
/** @file spans.cpp
 * The bytes that two operations of streams share.
 */
#include "src/streams/order.h"
#include "src/memory/arena.h"

namespace simgpu
{

constexpr size_t most_spans = 1 << 20;

/** The first byte that two lists share, or ~0. Both are sorted. */
static uint64_t shared_byte(const Spans &a, const Spans &b)
{
    auto i = a.begin(), j = b.begin();
    if (i == a.end() || j == b.end())
        return ~0ull;
    auto before = [](const Span &span, uint64_t at) { return span.end <= at; };
    i = std::lower_bound(i, a.end(), j->begin, before);
    if (i != a.end())
        j = std::lower_bound(j, b.end(), i->begin, before);
    while (i != a.end() && j != b.end()) {
        if (i->end <= j->begin)
            ++i;
        else if (j->end <= i->begin)
            ++j;
        else
            return std::max(i->begin, j->begin);
    }
    return ~0ull;
}

Conflict conflict_of(const TouchedBytes &a, const TouchedBytes &b)
{
    const Spans *of_a[] = {&a.reads, &a.writes, &a.atomics},
                *of_b[] = {&b.reads, &b.writes, &b.atomics};
    static const Use pairs[][2] = {{Use::writes, Use::reads},  {Use::reads, Use::writes},
                                   {Use::writes, Use::writes}, {Use::changes, Use::reads},
                                   {Use::reads, Use::changes}, {Use::changes, Use::writes},
                                   {Use::writes, Use::changes}};
    for (auto &pair : pairs) {
        uint64_t at = shared_byte(*of_a[(int)pair[0]], *of_b[(int)pair[1]]);
        if (at != ~0ull)
            return {at, pair[0], pair[1]};
    }
    return {};
}

void add_span(Spans &spans, uint64_t begin, uint64_t end)
{
    if (!spans.empty() && spans.back().end == begin)
        spans.back().end = end;
    else if (spans.size() < most_spans)
        spans.push_back({begin, end});
}

void sort(Spans &spans)
{
    std::sort(spans.begin(), spans.end(),
              [](const Span &x, const Span &y) { return x.begin < y.begin; });
}

void TouchedBytes::add(bool write, const void *at, size_t pitch, size_t width, size_t height)
{
    uint64_t offset;
    if (!order_watched || !width || !height)
        return;
    if (is_constant_memory((uintptr_t)at))
        offset = constant_offsets + (uintptr_t)at;
    else if (!device_offset(at, &offset))
        return;
    for (size_t row = 0; row < height; row++)
        add_span(write ? writes : reads, offset + row * pitch, offset + row * pitch + width);
}

} // namespace simgpu
