/* SPDX-License-Identifier: MIT */
/** @file spans.h
 * The bytes that two operations of streams share.
 */
#ifndef SIMGPU_SRC_SPANS_H
#define SIMGPU_SRC_SPANS_H

#include "order.h"

namespace simgpu
{

enum class Use { reads, writes, changes };

struct Conflict {
    uint64_t at = ~0ull;
    Use earlier = Use::reads, later = Use::reads;
};

/** Two atomics do not conflict, and neither do two reads. */
Conflict conflict_of(const TouchedBytes &a, const TouchedBytes &b);
void add_span(Spans &spans, uint64_t begin, uint64_t end);
void sort(Spans &spans);

} // namespace simgpu

#endif
