/* SPDX-License-Identifier: MIT */
/** @file report.cpp
 * Prints the counts of each source line as tables, and captured requests as JSON lines.
 */
#include "src/memory/arena.h"
#include "src/counts/counts.h"
#include "src/machine/machine.h"

#include <iterator>
#include <tuple>

namespace simgpu
{

std::vector<CountedLine> lines_of(const SiteTable &sites)
{
    std::vector<uint32_t> pcs;
    sites.for_each([&](uint32_t pc, Op, const SiteCounts &) { pcs.push_back(pc); });
    resolve(pcs);
    std::map<std::tuple<std::string, int, Op>, SiteCounts> by_line;
    sites.for_each([&](uint32_t pc, Op op, const SiteCounts &counts) {
        SourceLine s = source_of(pc);
        by_line[{s.file, s.line, op}].add(counts);
    });
    std::vector<CountedLine> lines;
    for (auto &[at, counts] : by_line)
        lines.push_back({std::get<0>(at), std::get<1>(at), std::get<2>(at), counts});
    return lines;
}

void resolve_captured()
{
    std::vector<uint32_t> pcs;
    for (const CapturedRequest &c : captured)
        pcs.push_back(c.request.pc);
    resolve(pcs);
}

std::string escaped(const std::string &text)
{
    std::string s;
    for (char c : text)
        if (c == '"' || c == '\\')
            s += std::string("\\") + c;
        else if ((unsigned char)c < 32)
            s += format("\\u%04x", c);
        else
            s += c;
    return s;
}

/** "model":"...","sites":[{file,line,op,requests,...}],"faults":[{name,file,line,...,text}] */
void write_sites_and_faults(FILE *out)
{
    const char *comma = "";
    fprintf(out, "\"model\":\"%s\",\"sites\":[", simgpu_model_name(settings.model));
    total_sites.for_each([&](uint32_t pc, Op op, const SiteCounts &c) {
        SourceLine s = source_of(pc);
        fprintf(out,
                "%s{\"file\":\"%s\",\"line\":%d,\"op\":\"%s\",\"requests\":%llu,\"accesses\":%"
                "llu,\"transactions\":%llu,\"bytes\":%llu,\"useful\":%llu,\"passes\":%llu,"
                "\"ideal\":%llu}",
                comma, escaped(display_path(s.file)).c_str(), s.line, op_name(op), c.requests,
                c.accesses, c.transactions, c.bytes, c.useful, c.passes, c.ideal);
        comma = ",";
    });
    fprintf(out, "],\"faults\":[");
    comma = "";
    simgpu_fault f;
    for (int i = 0; simgpu_get_fault(i, &f); i++) {
        fprintf(out,
                "%s{\"name\":\"%s\",\"file\":\"%s\",\"line\":%d,\"block\":[%u,%u,%u],"
                "\"thread\":[%u,%u,%u],\"count\":%llu,\"kernel\":\"%s\",\"text\":\"%s\"}",
                comma, f.name, escaped(display_path(f.file ? f.file : "")).c_str(), f.line,
                f.block[0], f.block[1], f.block[2], f.thread[0], f.thread[1], f.thread[2],
                (Count)f.count, escaped(f.kernel ? f.kernel : "").c_str(),
                escaped(f.text).c_str());
        comma = ",";
    }
    fputc(']', out);
}

static char *json_path; /* set before main, and needed while the program ends */

void write_json_file()
{
    FILE *out = json_path ? fopen(json_path, "w") : nullptr;
    json_path = nullptr; /* once */
    if (!out)
        return;
    fputc('{', out);
    write_sites_and_faults(out);
    fputs("}\n", out);
    fclose(out);
}

namespace
{

using Line = CountedLine;

std::string place(const Line &l)
{
    if (l.file.empty())
        return "(unknown line)";
    std::string path = display_path(l.file);
    size_t slash = path.rfind('/');
    return format("%s:%d", path.substr(slash == std::string::npos ? 0 : slash + 1).c_str(),
                  l.line);
}

int place_width(const std::vector<Line> &lines)
{
    size_t width = 4;
    for (const Line &l : lines)
        width = std::max(width, place(l).size());
    return (int)width;
}

/** Ends a row, which has `used` columns so far, with the line's source. */
void print_source(FILE *out, int used, const Line &l)
{
    std::string text = source_text(l.file, l.line);
    const size_t room =
        std::min<size_t>(60, std::max<size_t>(24, columns() - (size_t)used - 2));
    if (text.size() > room)
        text = text.substr(0, room - 3) + "...";
    fprintf(out, "  %s\n", text.c_str());
}

/** The lines with a wanted kind of access, those with the largest `member` first. */
std::vector<Line> sorted_lines(const std::vector<Line> &all, bool (*wanted)(Op),
                               Count SiteCounts::*member)
{
    std::vector<Line> lines;
    std::copy_if(all.begin(), all.end(), std::back_inserter(lines),
                 [&](const Line &l) { return wanted(l.op); });
    std::stable_sort(lines.begin(), lines.end(), [&](const Line &a, const Line &b) {
        return a.counts.*member > b.counts.*member;
    });
    return lines;
}

/** Numbers the instructions of each captured line from 0, in order of address. */
struct SiteNumbers {
    std::map<std::pair<std::string, int>, std::vector<uint64_t>> sites;
    static uint64_t key(const Request &r) { return (uint64_t)r.pc << 8 | (uint64_t)r.op; }
    void add(const SourceLine &s, const Request &r)
    {
        std::vector<uint64_t> &list = sites[{s.file, s.line}];
        if (std::find(list.begin(), list.end(), key(r)) == list.end())
            list.push_back(key(r));
        std::sort(list.begin(), list.end());
    }
    long number(const SourceLine &s, const Request &r)
    {
        std::vector<uint64_t> &list = sites[{s.file, s.line}];
        return std::find(list.begin(), list.end(), key(r)) - list.begin();
    }
};

} // namespace

extern "C" {

void simgpu_json_at_end(const char *path) { json_path = strdup(path); }

const char *simgpu_model_name(simgpu_model model)
{
    return model == SIMGPU_C1060 ? "c1060" : "modern";
}

void simgpu_report(FILE *out)
{
    bool old = settings.model == SIMGPU_C1060;
    std::vector<Line> all = lines_of(total_sites);
    std::vector<Line> global = sorted_lines(all, is_global, &SiteCounts::bytes),
                      shared = sorted_lines(all, is_shared, &SiteCounts::passes),
                      texture = sorted_lines(
                          all, [](Op op) { return op == Op::texture; }, &SiteCounts::bytes);
    if (global.empty() && shared.empty() && texture.empty()) {
        fprintf(out, "No accesses were counted.\n");
        return;
    }
    if (!global.empty()) {
        SiteCounts sum;
        for (const Line &l : global)
            sum.add(l.counts);
        int width = place_width(global);
        fprintf(out, "Global memory, model %s (%s)\n", simgpu_model_name(settings.model),
                old ? "half-warps, segments of 128 bytes narrowed to 64 or 32"
                    : "warps, sectors of 32 bytes");
        fprintf(out, "  %-*s  %-6s %9s %12s %5s %11s %7s  %s\n", width, "line", "access",
                "requests", "transactions", "each", "bytes", "useful", "source");
        for (const Line &l : global) {
            int used =
                fprintf(out, "  %-*s  %-6s %9llu %12llu %5.1f %11llu %6.1f%%", width,
                        place(l).c_str(), op_name(l.op), l.counts.requests,
                        l.counts.transactions, ratio(l.counts.transactions, l.counts.requests),
                        l.counts.bytes, 100 * ratio(l.counts.useful, l.counts.bytes));
            print_source(out, used, l);
        }
        fprintf(out, "  %-*s  %-6s %9llu %12llu %5.1f %11llu %6.1f%%\n", width, "all", "",
                sum.requests, sum.transactions, ratio(sum.transactions, sum.requests),
                sum.bytes, 100 * ratio(sum.useful, sum.bytes));
        fprintf(out,
                "  A request is one instruction of a %s.\n"
                "  \"useful\" is the share of the bytes moved that a thread asked for.\n",
                old ? "half-warp" : "warp");
    }
    if (!shared.empty()) {
        int width = place_width(shared);
        fprintf(out, "%sShared memory, %d banks\n", global.empty() ? "" : "\n", old ? 16 : 32);
        fprintf(out, "  %-*s  %-13s %12s %12s %9s  %s\n", width, "line", "access", "requests",
                "passes", "conflict", "source");
        for (const Line &l : shared) {
            int used = fprintf(out, "  %-*s  %-13s %12llu %12llu %8.2fx", width,
                               place(l).c_str(), op_name(l.op), l.counts.requests,
                               l.counts.passes, ratio(l.counts.passes, l.counts.ideal));
            print_source(out, used, l);
        }
        fprintf(out, "  \"conflict\" is passes through the banks over passes without bank "
                     "conflicts; 1 is best.\n");
    }
    if (!texture.empty()) {
        int width = place_width(texture);
        fprintf(
            out,
            "%sTextures (not part of the counts above; the texture cache is not simulated)\n",
            global.empty() && shared.empty() ? "" : "\n");
        fprintf(out, "  %-*s  %12s %14s  %s\n", width, "line", "fetches", "bytes", "source");
        for (const Line &l : texture) {
            int used = fprintf(out, "  %-*s  %12llu %14llu", width, place(l).c_str(),
                               l.counts.accesses, l.counts.bytes);
            print_source(out, used, l);
        }
    }
    for (const Line &l : global)
        if (l.file.empty()) {
            say(out, "\nLines are unknown where the source was compiled without -g, or "
                     "addr2line (of binutils) is not installed.\n");
            break;
        }
}

void simgpu_report_file(FILE *out, const char *file)
{
    std::string end = file;
    std::map<std::pair<int, Op>, SiteCounts> by_line;
    auto is_it = [&end](const SourceLine &s) { return ends_with(s.file, end); };
    lines_of(total_sites); /* looks them all up at once */
    total_sites.for_each([&](uint32_t pc, Op op, const SiteCounts &counts) {
        SourceLine s = source_of(pc);
        std::vector<SourceLine> places = s.callers;
        places.insert(places.begin(), s);
        auto found = std::find_if(places.begin(), places.end(), is_it);
        if (is_global(op) && found != places.end())
            by_line[{found->line, op}].add(counts);
    });
    for (auto &[at, counts] : by_line)
        fprintf(out, "%d %s %llu %llu %llu\n", at.first, op_name(at.second),
                counts.transactions, (Count)counts.bytes, counts.requests);
}

int simgpu_capture_write(FILE *out, const char *file, int line, int limit)
{
    resolve_captured();
    SiteNumbers numbers;
    for (const CapturedRequest &c : captured)
        numbers.add(source_of(c.request.pc), c.request);

    std::map<std::pair<uint32_t, uint64_t>, unsigned> occurrences; /* by launch and place */
    std::map<std::pair<uint32_t, uint64_t>, int> written; /* for all places: by launch */
    int total = 0;
    for (const CapturedRequest &c : captured) {
        const Request &r = c.request;
        SourceLine s = source_of(r.pc);
        unsigned occurrence = occurrences[{c.launch, SiteNumbers::key(r)}]++;
        if ((file && !ends_with(s.file, file)) || (line && s.line != line) ||
            (limit && written[{file ? 0 : c.launch, SiteNumbers::key(r)}]++ >= limit))
            continue;
        fprintf(out, "{\"file\":\"%s\",\"line\":%d,\"site\":%ld,\"space\":\"%s\",\"op\":\"%s\"",
                escaped(display_path(s.file)).c_str(), s.line, numbers.number(s, r),
                is_global(r.op)   ? "global"
                : is_shared(r.op) ? "shared"
                                  : "texture",
                r.op == Op::global_load || r.op == Op::shared_load     ? "load"
                : r.op == Op::global_store || r.op == Op::shared_store ? "store"
                : r.op == Op::texture                                  ? "fetch"
                                                                       : "atomic");
        fprintf(out, ",\"kernel\":\"%s\",\"launch\":%u,\"occurrence\":%u,\"size\":%u",
                escaped(c.kernel).c_str(), c.launch, occurrence, r.size);
        if (is_shared(r.op)) {
            SharedCost cost = shared_cost(settings.model, r);
            fprintf(out, ",\"array\":\"%s\",\"banks\":%d,\"passes\":%u,\"ideal\":%u",
                    escaped(c.array).c_str(), settings.model == SIMGPU_C1060 ? 16 : 32,
                    cost.passes, cost.ideal);
        } else if (is_global(r.op)) {
            Segment segments[128];
            unsigned count = list_segments(settings.model, r, segments);
            GlobalCost cost = global_cost(settings.model, r);
            /* Offsets of segments count, like those of lanes, from the allocation. */
            int64_t base = (int64_t)(r.address[0] - c.place[0].second);
            fprintf(out, ",\"transactions\":%u,\"bytes\":%u,\"segments\":[", cost.transactions,
                    cost.bytes);
            for (unsigned i = 0; i < count; i++)
                fprintf(out, "%s[%lld,%u]", i ? "," : "",
                        (long long)((int64_t)segments[i].address - base), segments[i].bytes);
            fprintf(out, "]");
        }
        fprintf(out, ",\"lanes\":[");
        for (unsigned i = 0; i < r.lanes; i++)
            fprintf(out, "%s[%u,%u,%llu]", i ? "," : "", r.lane[i], c.place[i].first,
                    (Count)c.place[i].second);
        fprintf(out, "]}\n");
        total++;
    }
    return total;
}

} // extern "C"

} // namespace simgpu
