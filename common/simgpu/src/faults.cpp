/**
 * @file faults.cpp
 * What was found wrong: each distinct fault (kind and line) once, with the first thread that had
 * it, a sentence of what happened, one of what was usually meant, and how often it was seen.
 */
#include "internal.h"

#include <algorithm>
#include <cstring>
#include <memory>

namespace simgpu
{

std::atomic<int> faults_seen;

namespace
{

const struct {
    const char *name, *advice;
} kinds[] = {
    {"out-of-bounds-global", "Usually the guard `if (row < m && col < n)` is missing or compares "
                             "the wrong sizes, or the index "
                             "mixes up rows, columns and the leading dimension."},
    {"out-of-bounds-shared",
     "Usually the tile is declared smaller than the block that fills it, or row and column are "
     "exchanged in the index."},
    {"misaligned",
     "A float2 must lie at a multiple of 8 bytes, a float4 or double2 at a multiple of 16: pad the "
     "rows to a multiple of that, or use single values."},
    {"shared-race",
     "Usually a __syncthreads() is missing: after filling shared memory and before reading it, or "
     "after reading it and before filling it again."},
    {"global-race",
     "Blocks run in any order and cannot wait for each other: each element needs one block that "
     "writes it, or atomicAdd, or a second launch. Usually blockIdx is missing in the index."},
    {"barrier-divergence",
     "Every thread of the block must come to the same __syncthreads(): take it out of the `if`, "
     "and do "
     "not `return` before it; guard the loads and stores and not the barrier."},
    {"uninitialised-global", "Usually a cudaMemcpy or cudaMemset is missing, copies too few bytes "
                             "(sizeof forgotten?), or the "
                             "kernel reads the matrix that it should write."},
    {"uninitialised-shared", "Usually the tile is larger than what the threads fill, or a guard "
                             "skips the store and not the "
                             "load: store 0 where there is no element."},
    {"host-touches-device", "A pointer from cudaMalloc means nothing to host code: copy the data "
                            "to the host with cudaMemcpy, "
                            "or do the work in a kernel."},
    {"device-touches-host",
     "A kernel cannot follow a host pointer: usually the host's array was passed to the launch in "
     "place of the one from cudaMalloc, or the allocation failed unnoticed."},
    {"launch-limits",
     "Launch more blocks of fewer threads, or let each thread compute more than one element. Check "
     "cudaGetLastError() after each launch: the kernel did not run."},
    {"leak", "Every cudaMalloc needs its cudaFree."},
    {"bad-call", "Usually the number of bytes is wrong (sizeof forgotten, or elements of another "
                 "type), or source "
                 "and destination are exchanged."},
    {"not-simulated", "See docs/simulated-gpu.md for what the simulated GPU has."},
    {"stack-overflow", "The simulator gives a thread 64 KiB for its own arrays: make them smaller, "
                       "or use shared memory."},
    {"division-by-zero", "Usually a size or a number of tiles is 0. A GPU does not stop here: it "
                         "goes on with some number."},
};
static_assert(sizeof kinds / sizeof *kinds == SIMGPU_FAULT_KINDS, "one entry for each kind");

struct Record {
    simgpu_fault_kind kind;
    FaultPlace place;
    std::string kernel, what;
    const void *kernel_address;
    bool in_kernel;
    unsigned block[3], thread[3];
    uint64_t order, count;
    bool shown;
    std::string file, text;
    int line;
};

std::mutex mutex;
std::vector<std::unique_ptr<Record>> records;
FILE *output;
bool output_chosen;

bool same_place(const Record &r, simgpu_fault_kind kind, const FaultPlace &p)
{
    return r.kind == kind && r.place.pc == p.pc && r.place.other_pc == p.other_pc &&
           r.place.line == p.line &&
           (!p.file || !r.place.file || strcmp(p.file, r.place.file) == 0);
}

Record *find_or_add(simgpu_fault_kind kind, const FaultPlace &place)
{
    for (auto &r : records)
        if (same_place(*r, kind, place))
            return r.get();
    records.push_back(std::make_unique<Record>());
    Record *r = records.back().get();
    r->kind = kind;
    r->place = place;
    r->order = ~0ull;
    r->count = 0;
    r->shown = false;
    r->in_kernel = false;
    r->kernel_address = nullptr;
    r->line = 0;
    faults_seen++;
    return r;
}

void record_kernel_fault(const Launch *launch, simgpu_fault_kind kind, const FaultPlace &place,
                         uint64_t block, uint32_t thread, uint64_t count, const char *what,
                         va_list arguments)
{
    uint64_t order = block * launch->threads + thread;
    std::lock_guard<std::mutex> lock(mutex);
    Record *r = find_or_add(kind, place);
    r->count += count;
    if (order >= r->order)
        return;
    r->order = order;
    r->in_kernel = true;
    r->kernel = launch->desc.kernel_text;
    r->kernel_address = launch->desc.kernel;
    unflatten(block, launch->desc.grid, r->block);
    unflatten(thread, launch->desc.block, r->thread);
    r->what = vformat(what, arguments);
}

std::string compose(const Record &r, const SourceLine &other)
{
    std::string s;
    if (!r.file.empty())
        s = format("%s:%d: ", display_path(r.file).c_str(), r.line);
    s += format("fault: %s", kinds[r.kind].name);
    if (r.in_kernel)
        s += format(" in kernel %s, block (%u,%u,%u), thread (%u,%u,%u)", r.kernel.c_str(),
                    r.block[0], r.block[1], r.block[2], r.thread[0], r.thread[1], r.thread[2]);
    else if (!r.kernel.empty())
        s += format(", kernel %s", r.kernel.c_str());
    s += "\n";
    std::string source = r.file.empty() ? "" : source_text(r.file, r.line);
    if (!source.empty())
        s += format("    %5d | %s\n", r.line, source.c_str());
    if (r.kind == SIMGPU_RACE_GLOBAL)
        s += format("    Block (%u,%u,%u) %s.\n", r.block[0], r.block[1], r.block[2],
                    r.what.c_str());
    else if (r.in_kernel)
        s += format("    Thread (%u,%u,%u) %s.\n", r.thread[0], r.thread[1], r.thread[2],
                    r.what.c_str());
    else if (r.what.compare(0, 2, "cu") == 0) /* a function's name */
        s += format("    %s.\n", r.what.c_str());
    else
        s += format("    %c%s.\n", toupper((unsigned char)r.what[0]), r.what.c_str() + 1);
    if (!other.file.empty() && (other.line != r.line || other.file != r.file)) {
        s += format("    The other access is at %s:%d:\n", display_path(other.file).c_str(),
                    other.line);
        std::string text = source_text(other.file, other.line);
        if (!text.empty())
            s += format("    %5d | %s\n", other.line, text.c_str());
    }
    s += format("    %s\n", r.place.advice ? r.place.advice : kinds[r.kind].advice);
    if (r.file.empty() && r.place.pc)
        s += "    (For file and line, compile with -g and install addr2line, of binutils.)\n";
    if (r.count > 1)
        s += format("    Seen %llu times.\n", (unsigned long long)r.count);
    return s;
}

/** Finds the lines of new records, joins those that are one line, and writes their messages. */
void settle()
{
    std::vector<uint32_t> pcs;
    for (auto &r : records)
        if (!r->shown) {
            if (r->place.pc)
                pcs.push_back(r->place.pc);
            if (r->place.other_pc)
                pcs.push_back(r->place.other_pc);
        }
    resolve(pcs);
    for (size_t i = 0; i < records.size(); i++) {
        Record &r = *records[i];
        if (r.place.file) {
            r.file = r.place.file;
            r.line = r.place.line;
        } else if (r.place.pc) {
            SourceLine line = source_of(r.place.pc);
            r.file = line.file;
            r.line = line.line;
        }
        if (!r.shown && r.kernel_address) {
            std::string name = function_at(r.kernel_address);
            if (!name.empty())
                r.kernel = name;
        }
        SourceLine other = r.place.other_pc ? source_of(r.place.other_pc) : SourceLine();
        for (size_t j = 0; j < i && !r.shown && !r.file.empty(); j++) {
            Record &o = *records[j];
            if (o.kind != r.kind || o.line != r.line || o.file != r.file)
                continue;
            o.count += r.count;
            if (!o.shown && r.order < o.order) { /* the lower thread's story is told */
                std::swap(o.place, r.place);
                o.what = r.what;
                o.kernel = r.kernel;
                memcpy(o.block, r.block, sizeof o.block);
                memcpy(o.thread, r.thread, sizeof o.thread);
                o.order = r.order;
                SourceLine line = o.place.other_pc ? source_of(o.place.other_pc) : SourceLine();
                o.text = compose(o, line);
            } else {
                o.text = compose(o, o.place.other_pc ? source_of(o.place.other_pc) : SourceLine());
            }
            records.erase(records.begin() + (long)i);
            faults_seen--;
            i--;
            goto next;
        }
        r.text = compose(r, other);
    next:;
    }
}

} // namespace

std::string vformat(const char *text, va_list arguments)
{
    va_list copy;
    va_copy(copy, arguments);
    std::string s((size_t)vsnprintf(nullptr, 0, text, copy), '\0');
    va_end(copy);
    vsnprintf(s.data(), s.size() + 1, text, arguments);
    return s;
}

std::string format(const char *text, ...)
{
    va_list arguments;
    va_start(arguments, text);
    std::string s = vformat(text, arguments);
    va_end(arguments);
    return s;
}

void kernel_fault(Worker *w, simgpu_fault_kind kind, const FaultPlace &place, const char *what, ...)
{
    uint64_t order = w->block * w->launch->threads + w->current;
    LocalFault *known = nullptr;
    for (LocalFault &f : w->faults)
        if (f.kind == kind && f.pc == place.pc && f.other_pc == place.other_pc &&
            f.line == place.line)
            known = &f;
    if (known && order >= known->order) {
        known->count++;
        return;
    }
    if (known)
        known->order = order;
    else
        w->faults.push_back({kind, place.pc, place.other_pc, place.line, 0, order});
    va_list arguments;
    va_start(arguments, what);
    record_kernel_fault(w->launch, kind, place, w->block, w->current, 1, what, arguments);
    va_end(arguments);
}

void kernel_fault_at(const Launch *launch, simgpu_fault_kind kind, const FaultPlace &place,
                     uint64_t block, uint32_t thread, const char *what, ...)
{
    va_list arguments;
    va_start(arguments, what);
    record_kernel_fault(launch, kind, place, block, thread, 1, what, arguments);
    va_end(arguments);
}

void host_fault(simgpu_fault_kind kind, const FaultPlace &place, const char *kernel,
                const char *what, ...)
{
    std::lock_guard<std::mutex> lock(mutex);
    Record *r = find_or_add(kind, place);
    if (r->count++)
        return;
    if (kernel)
        r->kernel = kernel;
    va_list arguments;
    va_start(arguments, what);
    r->what = vformat(what, arguments);
    va_end(arguments);
}

void faults_flush(Worker *w)
{
    if (w->faults.empty())
        return;
    std::lock_guard<std::mutex> lock(mutex);
    for (const LocalFault &f : w->faults)
        for (auto &r : records)
            if (r->kind == f.kind && r->place.pc == f.pc && r->place.other_pc == f.other_pc &&
                r->place.line == f.line)
                r->count += f.count;
    w->faults.clear();
}

void faults_print()
{
    if (!faults_seen)
        return;
    std::lock_guard<std::mutex> lock(mutex);
    settle();
    std::vector<Record *> fresh;
    for (auto &r : records)
        if (!r->shown)
            fresh.push_back(r.get());
    std::stable_sort(fresh.begin(), fresh.end(),
                     [](const Record *a, const Record *b) { return a->order < b->order; });
    FILE *out = output_chosen ? output : stderr;
    for (Record *r : fresh) {
        r->shown = true;
        if (out)
            fputs(r->text.c_str(), out);
    }
    if (out)
        fflush(out);
}

} // namespace simgpu

using namespace simgpu;

extern "C" {

int simgpu_fault_count()
{
    return faults_seen;
}

uint64_t simgpu_fault_total()
{
    std::lock_guard<std::mutex> lock(mutex);
    uint64_t total = 0;
    for (auto &r : records)
        total += r->count;
    return total;
}

int simgpu_get_fault(int index, simgpu_fault *fault)
{
    std::lock_guard<std::mutex> lock(mutex);
    if (faults_seen)
        settle();
    if (index < 0 || (size_t)index >= records.size())
        return 0;
    const Record &r = *records[(size_t)index];
    *fault = simgpu_fault();
    fault->kind = r.kind;
    fault->name = kinds[r.kind].name;
    fault->file = r.file.empty() ? nullptr : r.file.c_str();
    fault->line = r.line;
    fault->kernel = r.kernel.empty() ? nullptr : r.kernel.c_str();
    memcpy(fault->block, r.block, sizeof fault->block);
    memcpy(fault->thread, r.thread, sizeof fault->thread);
    fault->count = r.count;
    fault->text = r.text.c_str();
    return 1;
}

const char *simgpu_first_fault()
{
    simgpu_fault fault;
    return simgpu_get_fault(0, &fault) ? fault.text : nullptr;
}

void simgpu_clear_faults()
{
    std::lock_guard<std::mutex> lock(mutex);
    records.clear();
    faults_seen = 0;
    clear_errors();
}

void simgpu_set_fault_output(FILE *out)
{
    output = out;
    output_chosen = true;
}

size_t simgpu_check_leaks()
{
    size_t bytes = 0;
    for (const Allocation &a : arena_live()) {
        FaultPlace place;
        place.file = a.file;
        place.line = a.line;
        host_fault(SIMGPU_LEAK, place, nullptr, "%llu bytes allocated here are never freed",
                   (unsigned long long)a.size);
        bytes += a.size;
    }
    faults_print();
    return bytes;
}

} // extern "C"
