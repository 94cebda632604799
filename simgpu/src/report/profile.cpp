/* SPDX-License-Identifier: MIT */
/** @file profile.cpp
 * A profile made from counts. Per kernel and line: accesses, sectors per request, useful bytes,
 * bank conflicts, idle lanes. Per kernel: the occupancy that its launch allows, and its place
 * on a GPU's roofline. There are no times.
 */
#include "src/launch/blocks.h"

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
    std::string shape; /**< of the last launch, and its threads in a block */
    unsigned threads = 0;
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
    unsigned warps = (k.threads + 31) / 32;
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
std::string by_kind_text(const Kernel &k, const Count accesses[])
{
    std::string s;
    auto append = [&](const char *name, Count count) {
        if (count)
            s += format("%s%s %llu", s.empty() ? "" : ", ", name, count);
    };
    for (int op = 0; op < (int)Op::count; op++)
        append(op_name((Op)op), accesses[op]);
    for (int c = 0; c < (int)Control::count; c++)
        append(control_name((Control)c), k.control[c]);
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

void write_text(const Device &d, int registers, double flops)
{
    for (auto &[name, kernel] : kernels()) {
        std::vector<Line> lines = lines_of(kernel.sites);
        Sums s = sums_of(lines);
        Occupancy o = occupancy(kernel, d, registers);
        say(stdout, format("\nkernel %s: %llu launch%s, %s, %zu bytes of shared memory\n",
                           name.c_str(), kernel.launches, kernel.launches == 1 ? "" : "es",
                           kernel.shape.c_str(), kernel.shared));
        printf("  occupancy on %s: %u of %u warps, limited by %s%s\n", d.title, o.warps,
               o.places, o.limit, registers > 0 ? "" : " (--registers not given)");
        printf(
            "  device memory: %llu requests, %llu transactions, %llu bytes, %.0f %% useful\n",
            s.global.requests, s.global.transactions, s.global.bytes,
            100 * ratio(s.global.useful, s.global.bytes));
        say(stdout, "  " + roofline_text(s, d, flops) + "\n");
        say(stdout, "  instructions by kind (of threads, without arithmetic): " +
                        by_kind_text(kernel, s.by_kind) + "\n");
        printf("  %-24s %-13s %11s %10s %9s %8s %9s %7s\n", "line", "", "accesses", "requests",
               "sectors/r", "useful", "conflict", "lanes");
        for (const Line &l : lines) {
            const SiteCounts &c = l.counts;
            std::string place = place_in(l.file, l.line);
            if (place.size() > 24)
                place = "..." + place.substr(place.size() - 21);
            printf("  %-24s %-13s %11llu %10llu", place.c_str(), op_name(l.op), c.accesses,
                   c.requests);
            if (is_global(l.op))
                printf(" %9.2f %7.0f%% %9s", ratio(c.transactions, c.requests),
                       100 * ratio(c.useful, c.bytes), "");
            else if (is_shared(l.op))
                printf(" %9s %8s %8.2fx", "", "", ratio(c.passes, c.ideal));
            else
                printf(" %9s %8s %9s", "", "", "");
            printf(" %6.0f%%\n", 100 * ratio(c.accesses, c.requests) / lanes_of_request());
            std::string h = hint(l);
            if (!h.empty())
                printf("  %24s %s\n", "", h.c_str());
        }
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
        k.shape = shape_of(launch->desc);
        k.threads = launch->threads;
        k.shared = std::max(k.shared, launch->shared_used);
    }
    sites.for_each(
        [&](uint32_t pc, Op op, const SiteCounts &counts) { k.sites.at(pc, op).add(counts); });
}

} // namespace simgpu

using namespace simgpu;

extern "C" void simgpu_profile(const char *roofline, int registers, double flops)
{
    write_text(device_called(roofline), registers, flops);
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
