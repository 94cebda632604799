/* SPDX-License-Identifier: MIT */
/** @file roles.cpp
 * What blocks use whose warps have different roles: barriers of some of the warps (bar.sync),
 * and registers that one warp gives back and another takes (setmaxnreg).
 */
#include "src/hopper/async_proxy.h"

#include <algorithm>
#include <numeric>

namespace simgpu
{

constexpr uint32_t registers_of_multiprocessor = 65536;

/** Registers that the block's warps may have together, per thread of a warp each. How many the
 * compiler gives a kernel is unknown here: these are the most that it can give. */
static uint32_t register_pool(const Worker *w)
{
    const uint32_t each = registers_of_multiprocessor / w->threads_count / 8 * 8;
    return std::min(each, 256u) * (uint32_t)w->proxy->registers.size();
}

static uint32_t registers_of_others(const Worker *w, uint32_t warp)
{
    const std::vector<uint32_t> &all = w->proxy->registers;
    return std::accumulate(all.begin(), all.end(), 0u) - all[warp];
}

/** Ends the launch at a barrier that is used wrongly. */
[[noreturn]] static SIMGPU_COLD void bad_barrier(Worker *w, unsigned number, unsigned count,
                                                 uint32_t pc)
{
    const NamedBarrier *b = number < 16 ? &w->proxy->named[number] : nullptr;
    const FaultPlace place =
        at_pcs(pc, b && b->arrived ? b->pc : 0,
               "Let all threads that come to a barrier, by bar.sync or bar.arrive, name the "
               "same count: that of all these threads, a multiple of 32.");
    if (!b)
        kernel_fault(w, SIMGPU_BAD_CALL, place,
                     "comes to barrier %u; a block has the barriers 0 to 15", number);
    else if (b->arrived)
        kernel_fault(
            w, SIMGPU_BARRIER_DIVERGENCE, place,
            "comes to barrier %u with a count of %u threads, and the first one came with %u",
            number, count, b->count);
    else
        kernel_fault(w, SIMGPU_BARRIER_DIVERGENCE, place,
                     "comes to barrier %u with a count of %u threads, which is not a multiple "
                     "of 32, or more than the block has (%u)",
                     number, count, w->threads_count);
    abort_launch(w, cudaErrorLaunchFailure);
}

/** The running thread arrives. Returns the number of the phase after which it may go on. */
static uint64_t arrive_at(Worker *w, unsigned number, unsigned count, uint32_t pc)
{
    Untraced quiet;
    proxy_of(w);
    if (count == 0)
        count = (w->threads_count + 31) / 32 * 32;
    if (number > 15)
        bad_barrier(w, number, count, pc);
    NamedBarrier &b = w->proxy->named[number];
    if (count % 32 || count > (w->threads_count + 31) / 32 * 32 ||
        (b.arrived > 0 && count != b.count))
        bad_barrier(w, number, count, pc);
    if (b.arrived++ == 0)
        b.count = count, b.pc = pc;
    const uint64_t phase = b.phases + 1;
    if (b.arrived == std::min(count, w->threads_count)) {
        b.arrived = 0;
        b.phases++;
        b.completed = ++w->clock;
    }
    return phase;
}

void roles_begin_block(Worker *w)
{
    Proxy &proxy = *w->proxy;
    for (NamedBarrier &b : proxy.named)
        b = NamedBarrier();
    proxy.registers.resize((w->threads_count + 31) / 32);
    const uint32_t pool = register_pool(w);
    std::fill(proxy.registers.begin(), proxy.registers.end(),
              pool / (uint32_t)proxy.registers.size());
}

bool role_wait_is_over(Worker *w, uint32_t thread)
{
    Proxy &proxy = *w->proxy;
    const PhaseWait &wait = proxy.waits[thread];
    if (wait.what == PhaseWait::named)
        return proxy.named[wait.barrier].phases >= wait.until;
    const uint32_t warp = thread / 32, wanted = (uint32_t)wait.until;
    if (registers_of_others(w, warp) + wanted > register_pool(w))
        return false;
    proxy.registers[warp] = wanted;
    return true;
}

std::string role_missing(const Worker *w, uint32_t thread)
{
    const PhaseWait &wait = w->proxy->waits[thread];
    if (wait.what == PhaseWait::named) {
        const NamedBarrier &b = w->proxy->named[wait.barrier];
        return format("thread %u of warp %u waits at barrier %u, which expects %u threads, and "
                      "%u have come",
                      thread % 32, thread / 32, wait.barrier, b.count, b.arrived);
    }
    const uint32_t warps = (uint32_t)w->proxy->registers.size(),
                   others = registers_of_others(w, thread / 32);
    return format("thread %u of warp %u wants %u registers. The block has %u for each thread "
                  "of its %u warps, %u together, and its other warps keep %u",
                  thread % 32, thread / 32, (unsigned)wait.until, register_pool(w) / warps,
                  warps, register_pool(w), others);
}

const char *role_advice(const PhaseWait &wait)
{
    return wait.what == PhaseWait::named ? "The count is that of all threads that come to the "
                                           "barrier, by bar.sync or by bar.arrive."
           : wait.what == PhaseWait::registers
               ? "Let other warps give back more registers (setmaxnreg.dec), or ask for fewer."
               : nullptr;
}

int role_weight(const Worker *w, const PhaseWait &wait)
{
    return wait.what == PhaseWait::registers ? 1 << 20
                                             : 4 + (int)w->proxy->named[wait.barrier].arrived;
}

extern "C" {

void simgpu_barrier_sync(unsigned number, unsigned count)
{
    Worker *w = kernel_only("bar.sync");
    const uint32_t pc = CALLER_PC;
    wait_for_phase(w, {PhaseWait::named, pc, number, 0, arrive_at(w, number, count, pc)});
}

void simgpu_barrier_arrive(unsigned number, unsigned count)
{
    Worker *w = kernel_only("bar.arrive");
    arrive_at(w, number, count, CALLER_PC);
}

void simgpu_warp_registers(unsigned count, int more)
{
    Worker *w = kernel_only("setmaxnreg");
    const uint32_t pc = CALLER_PC, now = proxy_of(w).registers[w->current / 32];
    if (count < 24 || count > 256 || count % 8 || (more ? count < now : count > now)) {
        Untraced quiet;
        kernel_fault(
            w, SIMGPU_BAD_CALL,
            at_pc(pc, "The count is a multiple of 8 from 24 to 256; setmaxnreg.inc asks for "
                      "more registers than the warp has, setmaxnreg.dec for fewer."),
            "asks by setmaxnreg.%s for %u registers, and its warp has %u", more ? "inc" : "dec",
            count, now);
        abort_launch(w, cudaErrorLaunchFailure);
    }
    wait_for_phase(w, {PhaseWait::registers, pc, 0, 0, count});
}

} // extern "C"

} // namespace simgpu
