/* SPDX-License-Identifier: MIT */
/** @file steps.cpp
 * What each thread of the captured warp did, with the values that it read and wrote. The page
 * makes steps of it (docs/site/playground/views/steps.mjs).
 */
#include "src/memory/arena.h"
#include "src/faults/faults.h"
#include "src/tracer/touches.h"

namespace simgpu
{

namespace
{

constexpr unsigned most_of_a_thread = 500;

struct Step {
    size_t launch; /**< its index in the list of launches */
    unsigned thread, kind, size;
    uint32_t pc;
    const unsigned char *at; /**< null: the values came with the call */
    std::string element;
    unsigned char value[16]; /**< two of 8 bytes, before and after, of an atomic or shuffle */
    bool writes() const
    {
        return kind == (unsigned)Op::global_store || kind == (unsigned)Op::shared_store;
    }
    bool atomic() const
    {
        return kind == (unsigned)Op::global_atomic || kind == (unsigned)Op::shared_atomic;
    }
};

struct RecordedLaunch {
    uint32_t id;
    std::string kernel;
    unsigned block[3];
};

/* The page asks for these after the program's end. */
std::vector<Step> &steps = *new std::vector<Step>;
std::vector<RecordedLaunch> &launches = *new std::vector<RecordedLaunch>;
unsigned taken[32];     /**< how many steps of each lane */
bool is_cut;            /**< a lane did more than is recorded */
size_t settled;         /**< how many of the first steps have all of their values */
uint32_t last_thread;   /**< the last store's thread, ... */
uint32_t last_pc;       /**< ... instruction, ... */
uint64_t last_end = ~0; /**< ... and the offset after it */

std::string element_of(Worker *w, bool shared, unsigned size, uint64_t offset)
{
    std::string name = shared ? shared_element(w->launch, (uint32_t)offset)
                              : element_name(w->launch, offset, size);
    const Allocation *a = shared ? nullptr : arena_find(offset);
    if (a && a->name && name.compare(0, 5, "byte ") == 0)
        return format("%s[%llu]", a->name, (offset - a->offset) / a->element);
    if (shared && name.empty())
        return format("shared byte %llu", (Count)offset);
    const size_t end = name.find("] "); /* its array's shape follows */
    return end == std::string::npos ? name : name.substr(0, end + 1);
}

} // namespace

void settle_steps()
{
    last_end = ~0;
    for (; settled < steps.size(); settled++) {
        Step &s = steps[settled];
        if (s.writes())
            memcpy(s.value, s.at, s.size);
        else if (s.atomic())
            memcpy(s.value + 8, s.at, std::min(s.size, 8u));
    }
}

void note_step(Worker *w, unsigned kind, unsigned size, uint64_t offset, uint32_t pc,
               uint64_t before, uint64_t after)
{
    Untraced quiet;
    const bool access = kind < (unsigned)Op::count;
    const bool shared = access && is_shared((Op)kind);
    Step s = {0, w->current, kind, size, pc, nullptr, "", {}};
    /* The tracer is called before a store. A structure's words are all announced before it is
       stored. */
    if (!s.writes() || last_thread != w->current || last_pc != pc || last_end != offset)
        settle_steps();
    if (s.writes())
        last_thread = w->current, last_pc = pc, last_end = offset + size;
    if (w->current / (settings.model == SIMGPU_C1060 ? 16 : 32) != w->capture_unit)
        return;
    if (taken[w->current % 32]++ >= most_of_a_thread) {
        is_cut = true;
        return;
    }
    if (access) {
        s.at = shared ? w->shared + offset : data_at(offset);
        memcpy(s.value, s.at, size);
        s.element = element_of(w, shared, size, offset);
    } else {
        memcpy(s.value, &before, sizeof before);
        memcpy(s.value + 8, &after, sizeof after);
    }
    const simgpu_launch_desc &d = w->launch->desc;
    if (launches.empty() || launches.back().id != w->launch->id)
        launches.push_back(
            {w->launch->id, w->launch->kernel_name(), {d.block[0], d.block[1], d.block[2]}});
    s.launch = launches.size() - 1;
    steps.push_back(s);
}

/** {"cut":...,"launches":[[kernel,x,y,z],...],"events":[[launch,thread,site,kind,size,element,
 * bytes],...]} */
void write_steps(FILE *out)
{
    settle_steps();
    fprintf(out, "{\"cut\":%s,\"most\":%u,\"launches\":[", is_cut ? "true" : "false",
            most_of_a_thread);
    for (const RecordedLaunch &l : launches)
        fprintf(out, "%s[\"%s\",%u,%u,%u]", &l == launches.data() ? "" : ",",
                escaped(l.kernel).c_str(), l.block[0], l.block[1], l.block[2]);
    fprintf(out, "],\"events\":[");
    for (const Step &s : steps) {
        fprintf(out, "%s[%zu,%u,%u,%u,%u,\"%s\",\"", &s == steps.data() ? "" : ",", s.launch,
                s.thread, s.pc / 4, s.kind, s.size, escaped(s.element).c_str());
        for (unsigned i = 0; i < (s.atomic() || !s.at ? 16 : s.size); i++)
            fprintf(out, "%02x", s.value[i]);
        fprintf(out, "\"]");
    }
    fprintf(out, "]}");
}

} // namespace simgpu
