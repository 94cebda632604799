/* SPDX-License-Identifier: MIT */
/** @file profile.cpp
 * A profile made from counts. Per kernel and line: accesses, sectors per request, useful bytes,
 * bank conflicts, idle lanes. Per kernel: the occupancy that its launch allows, and its place
 * on a GPU's roofline. There are no times.
 */
#include "blocks.h"

#include <fstream>

namespace simgpu
{

namespace
{

/** The counts of one kernel, over all its counted launches. */
struct Kernel {
    SiteTable sites;
    Count launches = 0;
    size_t order = 0; /**< of its first launch */
    Count control[(int)Control::count] = {};
    unsigned grid[3], block[3];
    size_t shared = 0;
};

std::map<std::string, Kernel> &kernels()
{
    static auto *kernels = new std::map<std::string, Kernel>;
    return *kernels;
}

/** The limits of a device, from its data sheet, and of a multiprocessor. */
struct Device {
    const char *name, *title;
    double gflops, gbytes; /**< single precision, device memory */
    unsigned warps, blocks, registers;
    size_t shared;
};
const Device devices[] = {
    {"h100", "H100 SXM", 66900, 3350, 64, 32, 65536, 228 << 10},
    {"a100", "A100 SXM", 19500, 1555, 64, 32, 65536, 164 << 10},
    {"rtx4090", "GeForce RTX 4090", 82600, 1008, 48, 24, 65536, 100 << 10},
    {"c1060", "Tesla C1060", 622, 102, 32, 8, 16384, 16 << 10},
};

const Device &device_called(const char *name)
{
    for (const Device &d : devices)
        if (name && strcmp(d.name, name) == 0)
            return d;
    return devices[0];
}

using Line = CountedLine;

unsigned lanes_of_request() { return settings.model == SIMGPU_C1060 ? 16 : 32; }

/** How many of the warps of a multiprocessor a launch can fill, and what limits it. */
struct Occupancy {
    unsigned warps, places, blocks;
    const char *limit;
};

Occupancy occupancy(const Kernel &k, const Device &d, int registers)
{
    unsigned warps = (k.block[0] * k.block[1] * k.block[2] + 31) / 32;
    struct {
        unsigned blocks;
        const char *what;
    } limits[] = {
        {d.blocks, "blocks a multiprocessor takes"},
        {d.warps / std::max(1u, warps), "warps a block"},
        {k.shared ? (unsigned)(d.shared / (k.shared + 1024)) : ~0u, "shared memory"},
        {registers > 0 ? d.registers / (((unsigned)registers * 32 + 255) / 256 * 256 *
                                        std::max(1u, warps))
                       : ~0u,
         "registers"},
    };
    Occupancy o = {0, d.warps, ~0u, ""};
    for (auto &l : limits)
        if (l.blocks < o.blocks)
            o.blocks = l.blocks, o.limit = l.what;
    o.warps = std::min(o.blocks * warps, d.warps);
    return o;
}

/** The operations of the kernel's threads, by kind, without arithmetic: "global load 2048". */
std::vector<std::pair<std::string, Count>> by_kind(const Kernel &k, const Count accesses[])
{
    std::vector<std::pair<std::string, Count>> kinds;
    for (int op = 0; op < (int)Op::count; op++)
        if (accesses[op])
            kinds.push_back({op_name((Op)op), accesses[op]});
    for (int c = 0; c < (int)Control::count; c++)
        if (k.control[c])
            kinds.push_back({control_name((Control)c), k.control[c]});
    return kinds;
}

std::string by_kind_text(const Kernel &k, const Count accesses[])
{
    std::string s;
    for (auto &[name, count] : by_kind(k, accesses))
        s += format("%s%s %llu", s.empty() ? "" : ", ", name.c_str(), count);
    return s;
}

struct Sums {
    SiteCounts global, shared;
    Count by_kind[(int)Op::count] = {};
};

Sums sums_of(const std::vector<Line> &lines)
{
    Sums s;
    for (const Line &l : lines) {
        s.by_kind[(int)l.op] += l.counts.accesses;
        if (is_global(l.op))
            s.global.add(l.counts);
        else if (is_shared(l.op))
            s.shared.add(l.counts);
    }
    return s;
}

/** One sentence about a line that a student should look at. */
std::string hint(const Line &l)
{
    const SiteCounts &c = l.counts;
    if (is_global(l.op) && c.bytes && ratio(c.useful, c.bytes) < 0.5)
        return "uncoalesced: most of what is moved is not used";
    if (is_shared(l.op) && c.passes > c.ideal * 3 / 2)
        return "bank conflicts";
    if (c.requests && ratio(c.accesses, c.requests) < 0.5 * lanes_of_request())
        return "half of the lanes or more are idle (divergence, or a block that is no "
               "multiple)";
    return "";
}

std::string extent(const unsigned n[3])
{
    return n[2] > 1   ? format("%u x %u x %u", n[0], n[1], n[2])
           : n[1] > 1 ? format("%u x %u", n[0], n[1])
                      : format("%u", n[0]);
}

/* ---- text ---- */

std::string roofline_text(const Sums &s, const Device &d, double flops)
{
    double ridge = d.gflops / d.gbytes;
    if (flops <= 0)
        return format("%s: below %.1f flops a byte its memory is the limit (--flops says how "
                      "many there are)",
                      d.title, ridge);
    double intensity = flops / std::max<double>(1, (double)s.global.bytes);
    return format("%.2f flops a byte of device memory; on %s the ridge is at %.1f: %s, at most "
                  "%.0f of %.0f GFLOP/s",
                  intensity, d.title, ridge,
                  intensity < ridge ? "memory-bound" : "compute-bound",
                  std::min(d.gflops, intensity * d.gbytes), d.gflops);
}

void write_text(FILE *out, const Device &d, int registers, double flops)
{
    for (auto &[name, kernel] : kernels()) {
        std::vector<Line> lines = lines_of(kernel.sites);
        Sums s = sums_of(lines);
        Occupancy o = occupancy(kernel, d, registers);
        fprintf(
            out,
            "\nkernel %s: %llu launch%s, %s blocks of %s threads, %zu bytes of shared memory\n",
            name.c_str(), kernel.launches, kernel.launches == 1 ? "" : "es",
            extent(kernel.grid).c_str(), extent(kernel.block).c_str(), kernel.shared);
        fprintf(out, "  occupancy on %s: %u of %u warps, limited by %s%s\n", d.title, o.warps,
                o.places, o.limit, registers > 0 ? "" : " (--registers not given)");
        fprintf(
            out,
            "  device memory: %llu requests, %llu transactions, %llu bytes, %.0f %% useful\n",
            s.global.requests, s.global.transactions, s.global.bytes,
            100 * ratio(s.global.useful, s.global.bytes));
        fprintf(out, "  %s\n", roofline_text(s, d, flops).c_str());
        fprintf(out, "  instructions by kind (of threads, without arithmetic): %s\n",
                by_kind_text(kernel, s.by_kind).c_str());
        fprintf(out, "  %-28s %-13s %12s %10s %9s %8s %9s %7s\n", "line", "", "accesses",
                "requests", "sectors/r", "useful", "conflict", "lanes");
        for (const Line &l : lines) {
            const SiteCounts &c = l.counts;
            std::string place = format("%s:%d", display_path(l.file).c_str(), l.line);
            if (place.size() > 28)
                place = "..." + place.substr(place.size() - 25);
            fprintf(out, "  %-28s %-13s %12llu %10llu", place.c_str(), op_name(l.op),
                    c.accesses, c.requests);
            if (is_global(l.op))
                fprintf(out, " %9.2f %7.0f%% %9s", ratio(c.transactions, c.requests),
                        100 * ratio(c.useful, c.bytes), "");
            else if (is_shared(l.op))
                fprintf(out, " %9s %8s %8.2fx", "", "", ratio(c.passes, c.ideal));
            else
                fprintf(out, " %9s %8s %9s", "", "", "");
            fprintf(out, " %6.0f%%\n",
                    100 * ratio(c.accesses, c.requests) / lanes_of_request());
            std::string h = hint(l);
            if (!h.empty())
                fprintf(out, "  %28s %s\n", "", h.c_str());
        }
    }
}

/* ---- JSON and HTML ---- */

std::string html(const std::string &text)
{
    std::string s;
    for (char c : text)
        s += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
    return s;
}

void write_json(FILE *out, const Device &d, int registers, double flops)
{
    fprintf(out,
            "{\"rules\":\"%s\",\"roofline\":{\"gpu\":\"%s\",\"gflops\":%.0f,\"gbytes\":%.0f},"
            "\"kernels\":[",
            simgpu_model_name(settings.model), d.name, d.gflops, d.gbytes);
    const char *comma = "";
    for (auto &[name, k] : kernels()) {
        std::vector<Line> lines = lines_of(k.sites);
        Sums s = sums_of(lines);
        Occupancy o = occupancy(k, d, registers);
        fprintf(
            out,
            "%s\n{\"kernel\":\"%s\",\"launches\":%llu,\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u],"
            "\"shared_bytes\":%zu,\"occupancy\":{\"warps\":%u,\"of\":%u,\"limit\":\"%s\"},"
            "\"transactions\":%llu,\"bytes\":%llu,\"useful_bytes\":%llu,\"intensity\":",
            comma, escaped(name).c_str(), k.launches, k.grid[0], k.grid[1], k.grid[2],
            k.block[0], k.block[1], k.block[2], k.shared, o.warps, o.places, o.limit,
            s.global.transactions, s.global.bytes, s.global.useful);
        if (flops > 0 && s.global.bytes)
            fprintf(out, "%.4f", flops / (double)s.global.bytes);
        else
            fprintf(out, "null");
        fprintf(out, ",\"instructions\":{");
        comma = "";
        for (auto &[kind, count] : by_kind(k, s.by_kind)) {
            fprintf(out, "%s\"%s\":%llu", comma, kind.c_str(), count);
            comma = ",";
        }
        fprintf(out, "},\"lines\":[");
        comma = "";
        for (const Line &l : lines) {
            const SiteCounts &c = l.counts;
            fprintf(out,
                    "%s\n "
                    "{\"file\":\"%s\",\"line\":%d,\"op\":\"%s\",\"accesses\":%llu,\"requests\":"
                    "%llu,\"transactions\":%llu,\"bytes\":%llu,\"useful_bytes\":%llu,"
                    "\"passes\":%llu,\"passes_without_conflicts\":%llu,\"lanes\":%.4f}",
                    comma, escaped(display_path(l.file)).c_str(), l.line, op_name(l.op),
                    c.accesses, c.requests, c.transactions, c.bytes, c.useful, c.passes,
                    c.ideal, ratio(c.accesses, c.requests) / lanes_of_request());
            comma = ",";
        }
        fprintf(out, "]}");
        comma = ",";
    }
    fprintf(out, "]}\n");
}

/** Writes the lines of a file, each with what the kernel did there. */
void write_source(FILE *out, const std::string &file, const std::vector<Line> &lines,
                  Count most)
{
    std::ifstream in(file);
    fprintf(out,
            "<h3>%s</h3><table class=source>\n"
            "<tr><th><th><th>accesses<th>sectors a request<th>useful<th>bank "
            "conflicts<th>active lanes<th></tr>\n",
            html(display_path(file)).c_str());
    std::string text;
    for (int number = 1; std::getline(in, text); number++) {
        std::string cells[5];
        double weight = 0;
        std::string hints;
        for (const Line &l : lines) {
            if (l.file != file || l.line != number)
                continue;
            const SiteCounts &c = l.counts;
            weight = std::max(weight, ratio(c.bytes + 32 * c.passes, most));
            cells[0] += format("%s %llu<br>", op_name(l.op), c.accesses);
            cells[1] += is_global(l.op) ? format("%.2f<br>", ratio(c.transactions, c.requests))
                                        : "<br>";
            cells[2] += is_global(l.op) ? format("%.0f %%<br>", 100 * ratio(c.useful, c.bytes))
                                        : "<br>";
            cells[3] +=
                is_shared(l.op) ? format("%.2f x<br>", ratio(c.passes, c.ideal)) : "<br>";
            cells[4] +=
                format("%.0f %%<br>", 100 * ratio(c.accesses, c.requests) / lanes_of_request());
            if (!hint(l).empty())
                hints = hint(l);
        }
        fprintf(out,
                "<tr "
                "style=\"background:rgba(220,120,40,%.2f)\"><td>%d<td><pre>%s</"
                "pre><td>%s<td>%s<td>%s<td>%s<td>%s<td>%s</tr>\n",
                0.5 * weight, number, html(text).c_str(), cells[0].c_str(), cells[1].c_str(),
                cells[2].c_str(), cells[3].c_str(), cells[4].c_str(), hints.c_str());
    }
    fprintf(out, "</table>\n");
}

void write_html(FILE *out, const Device &d, int registers, double flops)
{
    fprintf(
        out,
        "<!doctype html><meta charset=utf-8><title>Profile from "
        "counts</title>\n<style>body{font:15px "
        "sans-serif;margin:2em;max-width:80em}table{border-collapse:collapse}td,th{padding:0 "
        ".8em;text-align:right;vertical-align:top}th{font-size:80%%}pre{margin:0;text-align:"
        "left;font-size:13px}td:last-child{text-align:left;font-style:italic}.source "
        "td:first-child{color:#888}</style>\n"
        "<h1>Profile from counts</h1><p>Counted by the rules of %s on the simulated GPU. There "
        "are no times: they would be the simulator's.</p>\n",
        simgpu_model_name(settings.model));
    for (auto &[name, k] : kernels()) {
        std::vector<Line> lines = lines_of(k.sites);
        Sums s = sums_of(lines);
        Occupancy o = occupancy(k, d, registers);
        fprintf(out,
                "<h2>%s</h2><p>%llu launch%s, %s blocks of %s threads, %zu bytes of shared "
                "memory. Occupancy on %s: %u of %u warps, limited by %s.</p><p>Device memory: "
                "%llu requests, %llu transactions, %llu bytes, %.0f %% of them useful. "
                "%s.</p><p>Instructions by kind, of threads and without arithmetic: %s.</p>\n",
                html(name).c_str(), k.launches, k.launches == 1 ? "" : "es",
                extent(k.grid).c_str(), extent(k.block).c_str(), k.shared, d.title, o.warps,
                o.places, o.limit, s.global.requests, s.global.transactions, s.global.bytes,
                100 * ratio(s.global.useful, s.global.bytes),
                html(roofline_text(s, d, flops)).c_str(), by_kind_text(k, s.by_kind).c_str());
        Count most = 1;
        std::vector<std::string> files;
        for (const Line &l : lines) {
            most = std::max(most, l.counts.bytes + 32 * l.counts.passes);
            if (!l.file.empty() && std::find(files.begin(), files.end(), l.file) == files.end())
                files.push_back(l.file);
        }
        for (const std::string &file : files)
            write_source(out, file, lines, most);
    }
}

} // namespace

const char *control_name(Control control)
{
    static const char *const names[] = {"barrier", "warp barrier", "shuffle", "vote", "fence"};
    return names[(int)control];
}

void profile_add(const Launch *launch, SiteTable &sites,
                 const uint64_t control[(int)Control::count], bool first)
{
    Kernel &k = kernels()[launch->kernel_name()];
    if (!k.order)
        k.order = kernels().size();
    for (int c = 0; c < (int)Control::count; c++)
        k.control[c] += control[c];
    if (first) {
        k.launches++;
        memcpy(k.grid, launch->desc.grid, sizeof k.grid);
        memcpy(k.block, launch->desc.block, sizeof k.block);
        k.shared = std::max(k.shared, launch->shared_used);
    }
    sites.for_each(
        [&](uint32_t pc, Op op, const SiteCounts &counts) { k.sites.at(pc, op).add(counts); });
}

} // namespace simgpu

using namespace simgpu;

extern "C" int simgpu_profile(const char *file, const char *roofline, int registers,
                              double flops)
{
    const Device &d = device_called(roofline);
    size_t length = strlen(file);
    if (strcmp(file, "text") == 0) {
        write_text(stdout, d, registers, flops);
        return 0;
    }
    FILE *out = fopen(file, "w");
    if (!out) {
        perror(file);
        return -1;
    }
    if (length > 5 && strcmp(file + length - 5, ".json") == 0)
        write_json(out, d, registers, flops);
    else
        write_html(out, d, registers, flops);
    return fclose(out);
}

extern "C" int simgpu_write_kernels(const char *path)
{
    std::map<size_t, std::string> lines;
    for (auto &[name, kernel] : kernels()) {
        Sums s = sums_of(lines_of(kernel.sites));
        lines[kernel.order] = format("%s\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\n", name.c_str(),
                                     kernel.launches, s.global.transactions, s.global.bytes,
                                     s.global.useful, s.shared.passes, s.shared.ideal);
    }
    FILE *out = fopen(path, "w");
    if (!out)
        return -1;
    for (auto &line : lines)
        fputs(line.second.c_str(), out);
    return fclose(out);
}
