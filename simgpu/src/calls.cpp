/* SPDX-License-Identifier: MIT */
/** @file calls.cpp
 * Logs a program's calls to the GPU: launches with their traffic, streams and events.
 */
#include "blocks.h"
#include "order.h"

namespace simgpu
{

FILE *calls_output = nullptr;

void log_launch(const Launch *launch, const simgpu_totals &before)
{
    simgpu_totals now;
    simgpu_get_totals(&now);
    const simgpu_launch_desc &d = launch->desc;
    fprintf(calls_output,
            "{\"call\":\"launch\",\"kernel\":\"%s\",\"launch\":%u,\"stream\":%u,\"grid\":[%u,%"
            "u,%u],\"block\":[%u,%u,%u],\"transactions\":%llu,\"bytes\":%llu}\n",
            d.kernel_text, launch->id, stream_number(d.stream), d.grid[0], d.grid[1], d.grid[2],
            d.block[0], d.block[1], d.block[2],
            (unsigned long long)(now.transactions - before.transactions),
            (unsigned long long)(now.bytes - before.bytes));
}

void log_event(const char *call, unsigned event, unsigned stream)
{
    if (calls_output)
        fprintf(calls_output, "{\"call\":\"%s\",\"event\":%u,\"stream\":%u}\n", call, event,
                stream);
}

} // namespace simgpu

using namespace simgpu;

extern "C" void simgpu_log_calls(FILE *out) { calls_output = out; }
