/* SPDX-License-Identifier: MIT */
/** @file names.cpp
 * Names for messages: of elements, allocations and kernels' parameters.
 */
#include "src/tracer/tracer.h"

namespace simgpu
{

/** The parameters' names of each kernel. */
static std::map<std::string, std::vector<std::string>> &parameter_names()
{
    static auto *names = new std::map<std::string, std::vector<std::string>>;
    return *names;
}

static std::vector<std::string> split(const std::string &text, char at)
{
    std::vector<std::string> parts;
    size_t begin = 0;
    while (begin <= text.size()) {
        size_t end = std::min(text.find(at, begin), text.size());
        if (end > begin)
            parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

/** The kernel's name without scope and template arguments. */
static std::string plain_name(const std::string &kernel)
{
    std::string name = kernel.substr(0, kernel.find('<'));
    size_t scope = name.rfind(':');
    if (scope != std::string::npos)
        name = name.substr(scope + 1);
    size_t blank = name.find_last_of(" &*");
    return blank == std::string::npos ? name : name.substr(blank + 1);
}

std::string parameter_name(const simgpu_launch_desc &d, int index)
{
    auto &all = parameter_names();
    auto i = all.find(plain_name(d.kernel_text));
    if (i == all.end())
        i = all.find(plain_name(function_at(d.kernel)));
    if (i == all.end() || (int)i->second.size() != d.argument_count)
        return "";
    return i->second[(size_t)index];
}

/** Finds rows and columns of a matrix argument: integers among the arguments whose product is
 * its size. If they are named m, n, k, they are the sizes of A, B and C; otherwise both must be
 * equal. */
static bool matrix_shape(const simgpu_launch_desc &d, const std::string &name,
                         uint64_t elements, uint64_t &rows, uint64_t &columns)
{
    std::map<std::string, uint64_t> sizes;
    for (int i = 0; i < d.argument_count; i++)
        if (!d.arguments[i].pointer && d.arguments[i].integer > 0)
            sizes[parameter_name(d, i)] = (uint64_t)d.arguments[i].integer;
    char letter =
        name.empty()
            ? 0
            : (char)tolower((unsigned char)name[name.size() > 1 && name[1] == '_' ? 2 : 0]);
    for (auto &names : {std::vector<std::string>{"m", "n", "k"}, {"M", "N", "K"}}) {
        auto m = sizes.find(names[0]), n = sizes.find(names[1]), k = sizes.find(names[2]);
        if (m == sizes.end() || n == sizes.end() || k == sizes.end())
            continue;
        rows = letter == 'b' ? k->second : m->second;
        columns = letter == 'a' ? k->second : n->second;
        if ((letter == 'a' || letter == 'b' || letter == 'c') && elements > 1 &&
            rows * columns == elements)
            return true;
    }
    if (sizes.count("ld" + name)) /* its rows may be longer than they look */
        return false;
    for (auto &s : sizes)
        if (s.second > 1 && s.second * s.second == elements) {
            rows = columns = s.second;
            return true;
        }
    return false;
}

/** "a[31][5] of 28 x 24", named after the argument. */
static std::string indexed(const simgpu_launch_desc &d, int argument, int64_t distance,
                           uint64_t bytes)
{
    std::string name = parameter_name(d, argument);
    if (name.empty())
        return "";
    int64_t element = (int64_t)d.arguments[argument].element;
    int64_t index = distance / element - (distance % element < 0);
    uint64_t elements = bytes / (uint64_t)element, rows, columns;
    if (matrix_shape(d, name, elements, rows, columns) && index >= 0 &&
        (uint64_t)index < 64 * elements)
        return format("%s[%lld][%lld] of %llu x %llu", name.c_str(),
                      (long long)(index / (int64_t)columns),
                      (long long)(index % (int64_t)columns), (Count)rows, (Count)columns);
    std::string text =
        format("%s[%lld] of %llu", name.c_str(), (long long)index, (Count)elements);
    for (int i = 0; i < d.argument_count && index >= 0; i++) {
        long long ld = d.arguments[i].pointer ? 0 : d.arguments[i].integer;
        if (ld > 1 && parameter_name(d, i) == "ld" + name)
            text += format(" (row %lld, column %lld, as ld%s = %lld)", (long long)index / ld,
                           (long long)index % ld, name.c_str(), ld);
    }
    return text;
}

std::string allocation_name(const Allocation &a)
{
    if (a.name)
        return format("the %llu bytes of %s", a.size, a.name);
    if (a.heap_pc) {
        SourceLine by = source_of(a.heap_pc);
        return format("the %llu bytes that a kernel allocated at %s", a.size,
                      place_name(by).c_str());
    }
    std::string s = format("the %llu bytes", a.size);
    if (a.file)
        s += " allocated at " + place_in(a.file, a.line);
    /* The variable's name is in the call: cudaMalloc(&x, ...). */
    std::string text = a.file ? source_text(a.file, a.line) : "";
    size_t call = text.find("cudaMalloc"), open = text.find('(', call);
    if (call == std::string::npos || open == std::string::npos ||
        text.find("cudaMalloc", open) != std::string::npos) /* ambiguous: several calls */
        return s;
    size_t amper = text.find('&', open), comma = text.find(',', open);
    if (amper < comma && comma != std::string::npos) {
        std::string variable = text.substr(amper + 1, comma - amper - 1);
        if (variable.find_first_of("()&") == std::string::npos)
            s += " (" + variable + ")";
    }
    return s;
}

bool in_kernel_itself(const Launch *launch, uint32_t pc)
{
    std::string function = source_of(pc).function;
    return plain_name(function.substr(0, function.find('('))) ==
           plain_name(launch->desc.kernel_text);
}

/** Whether a line of source has this name in it. */
static bool names(const std::string &line, const std::string &name)
{
    auto part = [&line](size_t at) {
        return at < line.size() && (isalnum((unsigned char)line[at]) || line[at] == '_');
    };
    for (size_t at = line.find(name); at != std::string::npos; at = line.find(name, at + 1))
        if ((at == 0 || !part(at - 1)) && !part(at + name.size()))
            return true;
    return false;
}

/** Does this argument point into the allocation? If so, at which offset. */
static bool points_into(const simgpu_argument &argument, const Allocation &owner, uint64_t *at)
{
    const Allocation *a =
        argument.pointer && device_offset(argument.pointer, at) ? arena_nearest(*at) : nullptr;
    return a && a->offset == owner.offset;
}

std::string element_name_in_line(const Launch *launch, uint64_t offset, const Allocation &owner,
                                 uint32_t pc)
{
    const simgpu_launch_desc &d = launch->desc;
    SourceLine at = source_of(pc);
    std::string line = source_text(at.file, at.line);
    int inside = 0, named = 0;
    std::string element;
    for (int i = 0; i < d.argument_count; i++) {
        uint64_t begin;
        if (!points_into(d.arguments[i], owner, &begin))
            continue;
        inside++;
        std::string name = parameter_name(d, i);
        if (name.empty() || !names(line, name))
            continue;
        named++;
        if (begin <= offset) /* its size is unknown: others may follow it */
            element = format("%s[%llu]", name.c_str(),
                             (Count)((offset - begin) / d.arguments[i].element));
    }
    return inside > 1 && named == 1 ? element : "";
}

/** The argument that leads into the allocation and is nearest below the offset; -1: none. */
static int nearest_argument(const simgpu_launch_desc &d, uint64_t offset,
                            const Allocation &owner, uint64_t *begin)
{
    int best = -1;
    for (int i = 0; i < d.argument_count; i++) {
        uint64_t at;
        if (points_into(d.arguments[i], owner, &at) &&
            (best < 0 || (at <= offset && (*begin > offset || at > *begin))))
            best = i, *begin = at;
    }
    return best;
}

std::string element_name(const Launch *launch, uint64_t offset, unsigned size,
                         const Allocation *owner)
{
    const simgpu_launch_desc &d = launch->desc;
    if (!owner)
        owner = arena_nearest(offset);
    std::string fallback = owner
                               ? size ? format("byte %lld", (long long)(offset - owner->offset))
                                      : format("the same bytes (byte %lld of %s)",
                                               (long long)(offset - owner->offset),
                                               allocation_name(*owner).c_str())
                               : "device memory";
    if (!owner)
        return fallback;
    uint64_t best_offset = 0;
    int best = nearest_argument(d, offset, *owner, &best_offset);
    if (best < 0)
        return fallback;
    std::string name = indexed(d, best, (int64_t)(offset - best_offset),
                               owner->offset + owner->size - best_offset);
    return name.empty() ? fallback : name;
}

std::string shared_element(Launch *launch, uint32_t offset)
{
    const SharedArray *array = nearest_shared_array(launch, offset);
    size_t at = array ? offset - array->offset : offset;
    if (!array || !array->element || array->element >= array->size)
        return "";
    if (array->row > array->element && array->row < array->size)
        return format("%s[%zu][%zu]", array->name, at / array->row,
                      at % array->row / array->element);
    return format("%s[%zu]", array->name, at / array->element);
}

std::string shared_byte(Launch *launch, uint32_t offset)
{
    const SharedArray *array = nearest_shared_array(launch, offset);
    return array ? format("byte %d of %s", (int)(offset - array->offset), array->name)
                 : format("byte %u of shared memory", offset);
}

std::string thread_name(const Launch *launch, uint32_t thread)
{
    unsigned t[3];
    unflatten(thread, launch->desc.block, t);
    return format("thread (%u,%u,%u)", t[0], t[1], t[2]);
}

const char *other_names(const Launch *launch, uint64_t offset)
{
    const simgpu_launch_desc &d = launch->desc;
    const Allocation *owner = arena_find(offset);
    uint64_t at;
    int own = owner ? nearest_argument(d, offset, *owner, &at) : -1;
    std::string all = own < 0 ? "" : parameter_name(d, own);
    if (all.empty())
        return nullptr;
    for (int i = 0; i < d.argument_count; i++)
        if (i != own && d.arguments[i].pointer && device_offset(d.arguments[i].pointer, &at) &&
            arena_find(at) == owner)
            all +=
                format(" %s %lld", parameter_name(d, i).c_str(),
                       ((long long)offset - (long long)at) / (long long)d.arguments[i].element);
    return kept(all);
}

std::string reached_as(const char *other_names, const std::string &line)
{
    std::vector<std::string> words = split(other_names ? other_names : "", ' ');
    std::string found;
    if (words.empty() || names(line, words[0]))
        return "";
    for (size_t i = 1; i + 1 < words.size(); i += 2) {
        if (!names(line, words[i]))
            continue;
        if (!found.empty()) /* two are named */
            return "";
        found = format("%s[%s]", words[i].c_str(), words[i + 1].c_str());
    }
    return found;
}

std::string place_in(const std::string &file, int line)
{
    return format("%s:%d", display_path(file).c_str(), line);
}

std::string place_name(const SourceLine &at)
{
    return at.file.empty() ? "a line that is unknown (compile with -g)"
                           : place_in(at.file, at.line);
}

std::string line_name(const SourceLine &at, const SourceLine &here)
{
    return !at.file.empty() && at.file == here.file ? format("line %d", at.line)
                                                    : place_name(at);
}

const char *kept(const std::string &text)
{
    static auto &all = *new std::vector<std::unique_ptr<std::string>>; /* needed at the end */
    static std::mutex mutex;
    std::lock_guard<std::mutex> lock(mutex);
    all.push_back(std::make_unique<std::string>(text));
    return all.back()->c_str();
}

std::string bytes_name(uint64_t at)
{
    if (at >= constant_offsets)
        return "__constant__ memory";
    const Allocation *a = arena_find(at);
    if (!a)
        return "device memory";
    std::string from =
        at > a->offset ? format("byte %llu of ", (Count)at - a->offset) : std::string();
    return from + allocation_name(*a);
}

const char *if_again(const SourceLine &earlier, const SourceLine &here)
{
    return !here.file.empty() && earlier.file == here.file && earlier.line >= here.line
               ? " is reached again"
               : "";
}

std::string between(const SourceLine &a, const SourceLine &b)
{
    return format("after %s and before %s%s", line_name(a, b).c_str(), line_name(b, b).c_str(),
                  if_again(a, b));
}

std::string stray_element_name(const Launch *launch, uintptr_t address)
{
    if (address < 65536 || is_mapped(address))
        return "";
    const simgpu_launch_desc &d = launch->desc;
    std::string best;
    uint64_t nearest = 4ull << 40; /* farther away, it is hardly an index of this array */
    for (int i = 0; i < d.argument_count; i++) {
        const void *p = d.arguments[i].pointer;
        if (!p || !arena_contains(p))
            continue;
        int64_t distance = (int64_t)(address - (uintptr_t)p);
        uint64_t size = (uint64_t)(distance < 0 ? -distance : distance);
        uint64_t at = arena_offset(p);
        const Allocation *a = arena_nearest(at);
        if (size < nearest && a) {
            nearest = size;
            best = indexed(d, i, distance, a->offset + a->size - at);
        }
    }
    return best;
}

} // namespace simgpu

using namespace simgpu;

extern "C" int simgpu_name_parameters(const char *names)
{
    for (const std::string &kernel : split(names, ';')) {
        size_t colon = kernel.find(':');
        parameter_names()[kernel.substr(0, colon)] = split(kernel.substr(colon + 1), ',');
    }
    return 0;
}
