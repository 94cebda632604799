/* SPDX-License-Identifier: MIT */
/** @file faults.cpp
 * Keeps each distinct fault (kind and line) once: the first thread that had it, what happened,
 * one piece of advice, and how often it was seen.
 */
#include "src/tracer/tracer.h"

namespace simgpu
{

std::atomic<int> faults_seen;

namespace
{

const struct {
    const char *name, *advice;
} kinds[] = {
#define FAULT_KIND(name, advice) {name, advice},
#include "src/faults/advice.txt"
};
static_assert(sizeof kinds / sizeof *kinds == SIMGPU_FAULT_KINDS, "one entry for each kind");

struct Record {
    simgpu_fault_kind kind;
    FaultPlace place;
    std::string kernel, what;
    const void *kernel_address = nullptr;
    bool in_kernel = false;
    unsigned block[3], thread[3];
    uint64_t order = ~0ull, count = 0, blocks = 0;
    uint8_t evidence = 0;          /**< of all races that this record represents */
    std::vector<uint32_t> callers; /**< of the function that contains place.pc */
    bool shown = false;
    std::string file, text;
    int line = 0;
    const char *launch_file = nullptr; /* null: the fault is not in a kernel */
    int launch_line = 0;
    std::string shape;
};

std::mutex mutex;
auto &records = *new std::vector<std::unique_ptr<Record>>; /* needed while the program ends */
FILE *chosen_output;
bool output_chosen;

FILE *output() { return output_chosen ? chosen_output : stderr; }

bool same_place(const Record &r, simgpu_fault_kind kind, const FaultPlace &p)
{
    return r.kind == kind && r.place.pc == p.pc && r.place.other_pc == p.other_pc &&
           r.place.line == p.line && r.place.other_line == p.other_line &&
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
    faults_seen++;
    return r;
}

simgpu_launch_desc last_launch; /* its names are the program's own */

/** The return addresses of the callers, if this one is on the calling thread's stack. */
std::vector<uint32_t> callers_of(uint32_t pc)
{
    void *frames[32];
    std::vector<uint32_t> callers;
    bool behind = false;
    for (int i = 0, count = calling_frames(frames, 32); i < count; i++) {
        if (behind && is_program_code((uintptr_t)frames[i]))
            callers.push_back(pc_of((uintptr_t)frames[i]));
        behind = behind || pc_of((uintptr_t)frames[i]) == pc;
    }
    return callers;
}

void record_kernel_fault(const Launch *launch, simgpu_fault_kind kind, const FaultPlace &place,
                         uint64_t block, uint32_t thread, uint64_t count, const char *what,
                         va_list arguments)
{
    bool by_accesses = kind == SIMGPU_RACE_SHARED || kind == SIMGPU_RACE_GLOBAL ||
                       kind == SIMGPU_UNINITIALISED_SHARED ||
                       kind == SIMGPU_UNINITIALISED_GLOBAL;
    if (launch->plain && by_accesses) /* some of the other accesses were not traced */
        return;
    uint64_t order = block * launch->threads + thread;
    std::lock_guard<std::mutex> lock(mutex);
    Record *r = find_or_add(kind, place);
    r->count += count;
    r->evidence |= place.evidence;
    if (order >= r->order)
        return;
    r->order = order;
    r->blocks = launch->blocks;
    r->in_kernel = true;
    r->kernel = launch->desc.kernel_text;
    r->kernel_address = launch->desc.kernel;
    r->place = place;
    r->callers = callers_of(place.pc);
    r->launch_file = launch->desc.file;
    r->launch_line = launch->desc.line;
    r->shape = shape_of(launch->desc);
    unflatten(block, launch->desc.grid, r->block);
    unflatten(thread, launch->desc.block, r->thread);
    r->what = vformat(what, arguments);
}

/** Does this line race with itself? */
bool same_line(const Record &r, const SourceLine &other)
{
    return other.file.empty() || (other.line == r.line && other.file == r.file);
}

/** "f" of "void f<int>(int)" and of "space::f". */
std::string bare_name(std::string function)
{
    function.resize(std::min(function.find('('), function.size()));
    function.resize(std::min(function.find('<'), function.size()));
    return function.substr(function.find_last_of(" :") + 1);
}

/** A line, preceded by the lines from which inlined functions were called, the kernel's first.
 */
std::vector<SourceLine> calls_to(const Record &r, const SourceLine &line)
{
    std::string kernel = bare_name(r.kernel);
    std::vector<SourceLine> calls = {line};
    size_t last = 0;
    for (const SourceLine &caller : line.callers) { /* with -g1 all have the kernel's name */
        calls.push_back(caller);
        last = bare_name(caller.function) == kernel ? calls.size() - 1 : last;
    }
    calls.resize(last + 1);
    std::reverse(calls.begin(), calls.end());
    return calls;
}

/** Goes from two accesses out to the function that leads to both, where a barrier between them
 * belongs: replaces each by the line of that function that makes the access, or calls what
 * does. */
void go_to_common_function(const Record &r, SourceLine *first, SourceLine *second)
{
    std::vector<SourceLine> a = calls_to(r, *first), b = calls_to(r, *second);
    size_t depth = 0, least = std::min(a.size(), b.size());
    while (depth + 1 < least && a[depth].file == b[depth].file &&
           a[depth].line == b[depth].line)
        depth++;
    *first = a[depth], *second = b[depth];
}

/** A race's advice: which barrier is missing, or what to use instead. If a race can have many
 * causes, says only what is true for all of them. */
std::string race_advice(const Record &r, const SourceLine &other)
{
    const FaultPlace &p = r.place;
    bool one_line = same_line(r, other);
    constexpr uint8_t updated = both_wrote | changed_read;
    if (p.fence_missing)
        return "A lock or a flag orders what threads do only together with fences: "
               "__threadfence() after the lock is taken or the flag is seen, and before it is "
               "given back or set (__threadfence_block() is enough within one block).";
    if (one_line && (r.evidence & updated) == updated)
        return format("Both read the old value, change it and write it back, and one change is "
                      "lost. If both are meant to change it, use atomicAdd (or the atomic of "
                      "that operation) at line %d; if not, two indices meet there.",
                      r.line);
    if (p.one_atomic)
        return "One access is atomic and the other is not: atomics keep apart from each other "
               "only. Make both atomic, or separate them by a barrier (between blocks: by a "
               "second launch).";
    if (p.between_blocks && p.block_scope)
        return "An atomic with _block in its name holds within one block only: use the one "
               "without.";
    if (r.evidence & among_blocks) {
        uint8_t threads = r.evidence & (same_thread | other_thread);
        /* Without blockIdx, every block but the first one writes again what the first wrote. */
        bool every_block = r.blocks > 1 && r.count % (r.blocks - 1) == 0;
        return p.between_blocks && p.both_write && threads == same_thread && every_block
                   ? kinds[SIMGPU_RACE_GLOBAL].advice
                   : "Blocks of one launch run in any order, and a barrier orders only the "
                     "threads of one block.";
    }
    if (p.both_write && one_line)
        return "Several threads write the same element: each element needs one thread that "
               "writes it (is threadIdx, or one of its directions, missing in the index?), or "
               "an atomic.";
    bool in_warp = r.evidence & left_out && !(r.evidence & across_warps);
    std::string barrier =
        in_warp
            ? "__syncwarp(), reached by all threads of the warp: they do not move in lockstep."
            : "__syncthreads(), reached by all threads of the block.";
    if (!in_warp && r.evidence & left_out)
        barrier +=
            " Some threads do not reach these lines: put the barrier outside their `if`.";
    if (one_line)
        return format("Line %d reads what another thread writes there: first read into a local "
                      "variable, then write after a barrier; in a loop, put another barrier "
                      "before the next read. It is %s",
                      r.line, barrier.c_str());
    SourceLine here;
    here.file = r.file, here.line = r.line;
    SourceLine first = r.place.pc ? source_of(r.place.pc) : here, second = other;
    go_to_common_function(r, &first, &second);
    bool one_file = first.file == second.file;
    if (p.order < 0 || (p.order == 0 && one_file && second.line < first.line))
        std::swap(first, second);
    if (source_text(first.file, first.line).find("memcpy_async") != std::string::npos)
        return "A barrier alone does not wait for an asynchronous copy: let each thread wait "
               "for its copies first (cooperative_groups::wait(), or the pipeline's), then for "
               "the other threads: " +
               barrier;
    if (p.both_write && r.what.find("dynamic shared memory") != std::string::npos)
        return format("Two arrays in dynamic shared memory overlap, or a barrier is missing "
                      "between lines %d and %d.",
                      first.line, second.line);
    bool again = one_file ? first.line >= second.line : p.order == 0, between = false,
         in_helper = !first.callers.empty() || bare_name(first.function) != bare_name(r.kernel);
    for (int line = first.line; one_file && !again && !between && line <= second.line; line++) {
        const std::string text = source_text(first.file, line);
        size_t at = text.find("__syncthreads"), end = std::min(text.find(';', at), text.size());
        /* On the lines of the accesses only a barrier that is after, or before, all else. */
        std::string others = line == first.line    ? text.substr(end, text.find('/', end) - end)
                             : line == second.line ? text.substr(0, std::min(at, text.size()))
                                                   : "";
        between =
            at < text.find("//") && others.find_first_not_of(" \t{};") == std::string::npos;
    }
    if (between) /* so the first of two calls reads what the second one writes */
        std::swap(first, second);
    std::string after = line_name(first, here), before = line_name(second, first);
    if (!again && !between)
        return format("Put a barrier after %s, before %s: %s", after.c_str(), before.c_str(),
                      barrier.c_str());
    return format(
        "Put a barrier after %s, before %s is reached again: %s at the end of the %s.",
        after.c_str(), before.c_str(), in_warp ? "__syncwarp()" : "__syncthreads()",
        in_helper ? "loop or the function" : "loop");
}

/** The lines by which the kernel comes to one of its own or of its helpers, from inside; empty
 * if it is in the kernel. With -g1 an inlined function has the name of the one around it, so
 * callers are asked first. `further`: the callers on the stack. */
std::vector<SourceLine> way_to_kernel(const Record &r, uint32_t place,
                                      const std::vector<uint32_t> &further)
{
    const std::string kernel = bare_name(r.kernel);
    std::vector<uint32_t> pcs = further;
    std::vector<SourceLine> way;
    pcs.insert(pcs.begin(), place);
    for (size_t i = 0; i < pcs.size(); i++) {
        SourceLine line = source_of(pcs[i]);
        const std::vector<SourceLine> callers = line.callers;
        if (i > 0)
            way.push_back(line);
        const size_t own = way.size();
        for (const SourceLine &caller : callers) {
            way.push_back(caller);
            if (bare_name(caller.function) == kernel)
                return way;
        }
        if (bare_name(line.function) == kernel) {
            way.resize(own);
            return way;
        }
    }
    return {};
}

/** "       12 | x = y;\n"; "" if the line cannot be read. */
std::string quoted(const std::string &file, int line)
{
    std::string text = file.empty() ? "" : source_text(file, line);
    return text.empty() ? "" : format("    %5d | %s\n", line, text.c_str());
}

/** Where helpers call the line: all of the way but the kernel's line. */
std::string calls_between(int line, const std::vector<SourceLine> &way)
{
    std::string s;
    for (size_t i = 0; i + 1 < way.size() && i < 3; line = way[i++].line)
        s += format("    Line %d is reached from %s:\n", line,
                    place_in(way[i].file, way[i].line).c_str()) +
             quoted(way[i].file, way[i].line);
    return s;
}

std::string compose(const Record &r, const SourceLine &other)
{
    std::string s = r.file.empty() ? "" : place_in(r.file, r.line) + ": ";
    s += format("fault: %s", kinds[r.kind].name);
    if (r.in_kernel)
        s += format(" in kernel %s, block (%u,%u,%u), thread (%u,%u,%u)", r.kernel.c_str(),
                    r.block[0], r.block[1], r.block[2], r.thread[0], r.thread[1], r.thread[2]);
    else if (!r.kernel.empty())
        s += format(", kernel %s", r.kernel.c_str());
    s += "\n" + quoted(r.file, r.line);
    if (r.place.between_blocks)
        s += format("    Block (%u,%u,%u) %s.\n", r.block[0], r.block[1], r.block[2],
                    r.what.c_str());
    else if (r.in_kernel)
        s += format("    Thread (%u,%u,%u) %s.\n", r.thread[0], r.thread[1], r.thread[2],
                    r.what.c_str());
    else if (r.what.compare(0, 2, "cu") == 0) /* begins with the name of a function */
        s += format("    %s.\n", r.what.c_str());
    else
        s += format("    %c%s.\n", toupper((unsigned char)r.what[0]), r.what.c_str() + 1);
    const std::vector<SourceLine> way = r.in_kernel && r.place.pc
                                            ? way_to_kernel(r, r.place.pc, r.callers)
                                            : std::vector<SourceLine>();
    s += calls_between(r.line, way);
    if (!same_line(r, other))
        s += format("    The other %s is at %s:\n",
                    r.kind == SIMGPU_STREAM_RACE ? "operation" : "access",
                    place_in(other.file, other.line).c_str()) +
             quoted(other.file, other.line) +
             (r.in_kernel && r.place.other_pc
                  ? calls_between(other.line, way_to_kernel(r, r.place.other_pc, {}))
                  : "");
    for (bool mine : {true, false}) {
        std::string reached =
            reached_as(r.place.other_names, mine ? source_text(r.file, r.line)
                                                 : source_text(other.file, other.line));
        if (!reached.empty())
            s += format("    In line %d it is %s, counted from the argument.\n",
                        mine ? r.line : other.line, reached.c_str());
    }
    if (!way.empty() && !way.back().file.empty())
        s += "    The kernel comes there from " + place_in(way.back().file, way.back().line) +
             ":\n" + quoted(way.back().file, way.back().line);
    bool race = r.kind == SIMGPU_RACE_GLOBAL || r.kind == SIMGPU_RACE_SHARED;
    std::string advice;
    if (race && !r.place.advice)
        advice = race_advice(r, other);
    else if (const char *text = r.place.advice ? r.place.advice : kinds[r.kind].advice)
        advice = text;
    if (!advice.empty())
        s += format("    %s\n", advice.c_str());
    if (r.launch_file)
        s += format("    The kernel was launched at %s with %s.\n",
                    place_in(r.launch_file, r.launch_line).c_str(), r.shape.c_str());
    if (r.file.empty() && r.place.pc)
        s += "    (For file and line, compile with -g and install addr2line, of binutils.)\n";
    if (r.count > 1)
        s += format("    Seen %llu times.\n", (Count)r.count);
    for (size_t at; (at = s.find(" 1 bytes")) != std::string::npos;)
        s.erase(at + strlen(" 1 byte"), 1);
    return s;
}

/** The source line of a fault's other access, if it has one. */
SourceLine other_line(const Record &r)
{
    SourceLine other;
    other.file = r.place.other_file ? r.place.other_file : "";
    other.line = r.place.other_line;
    return r.place.other_pc ? source_of(r.place.other_pc) : other;
}

/** Joins a record with an earlier one of the same line. The text is the lower thread's. */
void join(Record &earlier, Record &r)
{
    earlier.count += r.count;
    earlier.evidence = r.evidence |= earlier.evidence;
    if (!earlier.shown && r.order < earlier.order) {
        r.count = earlier.count;
        std::swap(earlier, r);
    }
    earlier.text = compose(earlier, other_line(earlier));
}

/** Finds the lines of new records, joins records of one line, and writes their messages. */
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
        SourceLine other = other_line(r);
        if (!same_line(r, other)) /* two lines are not an update of one element */
            r.evidence &= (uint8_t) ~(both_wrote | changed_read);
        Record *earlier = nullptr;
        for (size_t j = 0; j < i && !r.shown && !r.file.empty() && !earlier; j++) {
            Record &o = *records[j];
            if (o.kind == r.kind && o.line == r.line && o.file == r.file)
                earlier = &o;
        }
        if (earlier) {
            join(*earlier, r);
            records.erase(records.begin() + (long)i--);
            faults_seen--;
        } else {
            r.text = compose(r, other);
        }
    }
}

} // namespace

std::string shape_of(const simgpu_launch_desc &d)
{
    auto extent = [](const unsigned n[3], const char *what) {
        std::string s = format("%u", n[0]);
        for (int i = 1; i < 3; i++)
            if (n[i] != 1 || (i == 1 && n[2] != 1))
                s += format(" x %u", n[i]);
        return s + " " + what + (s == "1" ? "" : "s");
    };
    return extent(d.grid, "block") + " of " + extent(d.block, "thread");
}

bool call_refused()
{
    std::lock_guard<std::mutex> lock(mutex);
    return std::any_of(records.begin(), records.end(),
                       [](auto &r) { return r->kind == SIMGPU_BAD_CALL; });
}

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

/** What this worker knows of the fault; null if it has not seen it. */
static LocalFault *local_fault(Worker *w, simgpu_fault_kind kind, const FaultPlace &place)
{
    for (LocalFault &f : w->faults)
        if (f.kind == kind && f.pc == place.pc && f.other_pc == place.other_pc &&
            f.line == place.line)
            return &f;
    return nullptr;
}

bool counted_again(Worker *w, simgpu_fault_kind kind, const FaultPlace &place)
{
    LocalFault *known = local_fault(w, kind, place);
    uint64_t order = w->block * w->launch->threads + w->current;
    if (!known || order < known->order || (place.evidence & ~known->evidence))
        return false;
    known->count++;
    known->in_phase = true;
    return true;
}

void kernel_fault(Worker *w, simgpu_fault_kind kind, const FaultPlace &place, const char *what,
                  ...)
{
    Untraced quiet;
    if (counted_again(w, kind, place))
        return;
    uint64_t order = w->block * w->launch->threads + w->current;
    LocalFault *known = local_fault(w, kind, place);
    if (!known) {
        w->faults.push_back({kind, place.pc, place.other_pc, place.line, 0, order});
        known = &w->faults.back();
    }
    known->order = std::min(known->order, order);
    known->evidence |= place.evidence;
    known->in_phase = true;
    va_list arguments;
    va_start(arguments, what);
    record_kernel_fault(w->launch, kind, place, w->block, w->current, 1, what, arguments);
    va_end(arguments);
}

void kernel_fault_at(const Launch *launch, simgpu_fault_kind kind, const FaultPlace &place,
                     uint64_t block, uint32_t thread, const char *what, ...)
{
    Untraced quiet;
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

void faults_forget_guards(const std::vector<uint32_t> &reads)
{
    std::lock_guard<std::mutex> lock(mutex);
    for (size_t i = 0; i < records.size(); i++) {
        uint32_t read = records[i]->place.plain_read;
        if (!read || records[i]->shown ||
            std::find(reads.begin(), reads.end(), read) == reads.end())
            continue;
        records.erase(records.begin() + (long)i--);
        faults_seen--;
    }
}

size_t columns()
{
#ifdef __wasm__
    return SIZE_MAX;
#else
    const char *asked = getenv("COLUMNS");
    return asked && atoi(asked) >= 40 ? (size_t)atoi(asked) : 100;
#endif
}

void say(FILE *out, const std::string &lines)
{
    const size_t most = columns();
    std::string line, broken;
    for (size_t at = 0, end; at < lines.size(); at = end + 1) {
        end = std::min(lines.find('\n', at), lines.size());
        line = lines.substr(at, end - at);
        const size_t number = line.find_first_not_of(' '),
                     sign = line.find_first_not_of("0123456789", number);
        const bool source = sign != std::string::npos && line.compare(sign, 3, " | ") == 0;
        for (size_t margin = std::min(number, line.size()); line.size() > most && !source;) {
            const size_t cut = line.rfind(' ', most);
            if (cut == std::string::npos || cut <= margin)
                break; /* a word that is longer than a line */
            broken += line.substr(0, cut) + "\n";
            line = std::string(8, ' ') + line.substr(cut + 1);
            margin = 8;
        }
        broken += line + (end < lines.size() ? "\n" : "");
    }
    fputs(broken.c_str(), out);
}

void note_leaks()
{
    size_t bytes = 0;
    auto all = arena_live();
    FILE *out = output();
    if (!out || !settings.standalone || faults_seen || all.empty())
        return;
    for (const Allocation &a : all)
        bytes += a.size;
    std::string first = all[0].file ? " at " + place_in(all[0].file, all[0].line) : "";
#ifdef __wasm__ /* a page has no options */
    const char *how = "";
#else
    const char *how =
        all.size() == 1 ? " --leaks names it as a fault." : " --leaks names each as a fault.";
#endif
    say(out, format("note: %zu bytes of device memory are never freed: %s%s.%s\n", bytes,
                    all.size() == 1 ? "1 allocation,"
                                    : format("%zu allocations, the first", all.size()).c_str(),
                    first.c_str(), how));
    fflush(out);
}

void note_never_read()
{
    FILE *out = output();
    if (!out || !settings.standalone || faults_seen)
        return;
    for (const std::string &what : arena_never_read())
        say(out, "note: no kernel has read " + what + ".\n");
    fflush(out);
}

void note_launch(const simgpu_launch_desc &desc) { last_launch = desc; }

FaultPlace called_here(const char *advice)
{
    FaultPlace place{calling_pc()};
    place.advice = advice;
    return place;
}

void faults_flush(Worker *w)
{
    if (w->faults.empty())
        return;
    std::lock_guard<std::mutex> lock(mutex);
    for (const LocalFault &f : w->faults)
        for (auto &r : records)
            if (r->kind == f.kind && r->place.pc == f.pc && r->place.other_pc == f.other_pc &&
                r->place.line == f.line) {
                r->count += f.count;
                r->evidence |= f.evidence;
            }
    w->faults.clear();
}

/** Prints races between blocks last: which of two blocks comes second depends on the
 * processors, and must not decide which fault is printed first. */
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
    /* A barrier that some threads leave out is the cause of races, so it comes first. */
    auto rank = [](const Record *r) {
        return r->place.between_blocks ? 2 : r->kind == SIMGPU_BARRIER_DIVERGENCE ? 0 : 1;
    };
    std::stable_sort(fresh.begin(), fresh.end(), [&](const Record *a, const Record *b) {
        return rank(a) != rank(b) ? rank(a) < rank(b) : a->order < b->order;
    });
    /* A race in the line of a read that finds nothing written is its cause: it comes first. */
    for (size_t i = 0; i < fresh.size(); i++) {
        if (fresh[i]->kind != SIMGPU_UNINITIALISED_SHARED &&
            fresh[i]->kind != SIMGPU_UNINITIALISED_GLOBAL)
            continue;
        auto cause = std::find_if(fresh.begin() + (long)i, fresh.end(), [&](const Record *r) {
            SourceLine other = other_line(*r);
            return (r->kind == SIMGPU_RACE_SHARED || r->kind == SIMGPU_RACE_GLOBAL) &&
                   ((r->line == fresh[i]->line && r->file == fresh[i]->file) ||
                    (other.line == fresh[i]->line && other.file == fresh[i]->file));
        });
        if (cause != fresh.end())
            std::rotate(fresh.begin() + (long)i, cause, cause + 1);
    }
    FILE *out = output();
    for (Record *r : fresh) {
        r->shown = true;
        if (out)
            say(out, r->text);
    }
    if (out)
        fflush(out);
}

void host_note(uint32_t pc, const std::string &what, const char *advice)
{
    static std::vector<uint32_t> told;
    std::lock_guard<std::mutex> lock(mutex);
    FILE *out = output();
    if (!out || std::find(told.begin(), told.end(), pc) != told.end())
        return;
    told.push_back(pc);
    SourceLine at = source_of(pc);
    say(out, format("%snote: %s.\n%s    %s\n",
                    at.file.empty() ? "" : (place_in(at.file, at.line) + ": ").c_str(),
                    what.c_str(), quoted(at.file, at.line).c_str(), advice));
    fflush(out);
}

extern "C" {

int simgpu_fault_count() { return faults_seen; }

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

const char *simgpu_last_launch()
{
    static auto *text = new std::string;
    const simgpu_launch_desc &d = last_launch;
    if (!d.kernel_text)
        return nullptr;
    *text = format("%s with %s, at %s", d.kernel_text, shape_of(d).c_str(),
                   place_in(d.file, d.line).c_str());
    return text->c_str();
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
    chosen_output = out;
    output_chosen = true;
}

size_t simgpu_check_leaks()
{
    size_t bytes = 0;
    for (const Allocation &a : arena_live()) {
        FaultPlace place = at_line(a.file, a.line);
        place.pc = a.heap_pc;
        host_fault(SIMGPU_LEAK, place, nullptr, "%llu bytes allocated here%s are never freed",
                   a.size, a.name && !a.alias ? format(" (%s)", a.name).c_str() : "");
        bytes += a.size;
    }
    faults_print();
    return bytes;
}

} // extern "C"

} // namespace simgpu
