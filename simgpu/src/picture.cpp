/* SPDX-License-Identifier: MIT */
/** @file picture.cpp
 * Draws as an SVG what the captured warp touches at a source line. Each kind of access of the
 * line has a part of the picture: its first request with the number of each thread, and below
 * it the first requests one after another, so that time runs downwards.
 */
#include "blocks.h"

#include <set>

namespace simgpu
{

namespace
{

enum { CELL = 22, LEFT = 110, ROW = 20, WORD = 4, SEGMENT = 128, TIMES = 16, COLUMNS = 64 };
const char *const blue = "#0072B2", *const orange = "#E69F00", *const red = "#D55E00",
                  *const grey = "#555555", *const black = "#222222", *const white = "#ffffff";

using Requests = std::vector<const CapturedRequest *>;

std::string for_xml(const std::string &text)
{
    std::string s;
    for (char c : text)
        s += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
    return s;
}

std::string counted_as(unsigned number, const char *one, const char *many)
{
    return format("%u %s", number, number == 1 ? one : many);
}

/** The body of the picture, which is complete before its height is known. */
struct Drawing {
    std::string body;
    int y = 0, width = 840;

    void box(double x, double at, double w, double h, const char *fill,
             const char *stroke = "none", double opacity = 1)
    {
        width = std::max(width, (int)(x + w) + 150);
        body += format("<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"%s\" "
                       "stroke=\"%s\" stroke-width=\"%d\" fill-opacity=\"%.2f\"/>\n",
                       x, at, w, h, fill, stroke, strcmp(fill, "none") ? 1 : 2, opacity);
    }
    void text(double x, double at, const std::string &words, const char *colour = black,
              const char *anchor = "start", int size = 11)
    {
        body += format("<text x=\"%g\" y=\"%g\" font-size=\"%d\" text-anchor=\"%s\" "
                       "fill=\"%s\">%s</text>\n",
                       x, at, size, anchor, colour, for_xml(words).c_str());
    }
    void line_of_text(const std::string &words, const char *colour = black, int size = 12)
    {
        y += ROW;
        text(16, y, words, colour, "start", size);
    }
};

unsigned banks() { return settings.model == SIMGPU_C1060 ? 16 : 32; }
const char *unit_name() { return settings.model == SIMGPU_C1060 ? "half-warp" : "warp"; }

/** Threads of the request, some of which may make several accesses of it. */
unsigned threads_of(const Request &r)
{
    return (unsigned)std::set<unsigned>(r.lane, r.lane + r.lanes).size();
}

std::string cost_of(const Request &r)
{
    if (is_shared(r.op)) {
        SharedCost cost = shared_cost(settings.model, r);
        return counted_as(cost.passes, "pass", "passes");
    }
    if (!is_global(r.op))
        return "";
    return counted_as(global_cost(settings.model, r).transactions, "transaction",
                      "transactions");
}

/** The offset of a lane's access: in the allocation, or in the block's shared memory, which
 * says in which bank it is. */
uint64_t offset_of(const CapturedRequest &c, unsigned i)
{
    return is_shared(c.request.op) ? c.request.address[i] : c.place[i].second;
}

/** Draws the words of one request, each with the threads that touch it. */
void draw_request(Drawing &d, const CapturedRequest &c)
{
    const Request &r = c.request;
    const unsigned across = is_shared(r.op) ? banks() : (unsigned)SEGMENT / WORD;
    std::map<uint64_t, std::vector<unsigned>> threads; /* of each word */
    for (unsigned i = 0; i < r.lanes; i++)
        for (uint64_t at = offset_of(c, i) / WORD; at * WORD < offset_of(c, i) + r.size; at++)
            threads[at].push_back(r.lane[i]);
    d.y += 14;
    for (unsigned i = 0; i < across; i += 4)
        d.text(LEFT + i * CELL + 2, d.y,
               is_shared(r.op) ? format("bank %u", i) : format("+%u", i * WORD), grey);
    std::map<uint64_t, int> row_at;
    for (auto &word : threads) {
        const uint64_t row = word.first / across;
        if (row_at.count(row))
            continue;
        d.y += row_at.empty() ? 4 : row_at.count(row - 1) ? ROW : ROW + 4;
        row_at[row] = d.y;
        const uint64_t at = row * across * WORD, array = offset_of(c, 0) - c.place[0].second;
        d.text(LEFT - 6, d.y + 14, format("byte %llu", (Count)(at < array ? 0 : at - array)),
               grey, "end");
        for (unsigned i = 0; i < across; i++)
            d.box(LEFT + i * CELL, d.y, CELL - 1, ROW - 1, "#f2f4f6");
    }
    for (auto &[at, lanes] : threads) {
        const double x = LEFT + (double)(at % across) * CELL, y = row_at[at / across];
        d.box(x, y, CELL - 1, ROW - 1, lanes.size() > 1 ? orange : blue);
        d.text(x + CELL / 2.0, y + 14,
               format(lanes.size() > 1 ? "×%u" : "%u",
                      lanes.size() > 1 ? (unsigned)lanes.size() : lanes[0]),
               white, "middle", 10);
    }
    if (is_global(r.op)) {
        Segment segments[128];
        const unsigned count = list_segments(settings.model, r, segments);
        for (unsigned i = 0; i < count; i++) {
            const uint64_t at = segments[i].address - r.address[0] + offset_of(c, 0);
            if (row_at.count(at / SEGMENT))
                d.box(LEFT + (double)(at % SEGMENT) / WORD * CELL - 1, row_at[at / SEGMENT] - 1,
                      segments[i].bytes / WORD * CELL + 1, ROW + 1, "none", red);
        }
    }
    d.y += ROW;
}

/** One cell of the drawing over time: how many different words, and how many threads. */
struct Heat {
    std::set<uint64_t> words;
    unsigned threads = 0;
};

/** Draws one row per request: a column is a bank, or a piece of memory that is touched. */
void draw_over_time(Drawing &d, const Requests &requests)
{
    const Request &first = requests[0]->request;
    const bool shared = is_shared(first.op);
    const size_t times = std::min<size_t>(requests.size(), TIMES);
    unsigned piece = 32; /* bytes of a column */
    std::set<uint64_t> columns;
    auto column_of = [&](uint64_t offset) {
        return shared ? offset / WORD % banks() : offset / piece;
    };
    for (;; piece *= 2, columns.clear()) {
        for (size_t t = 0; t < times; t++)
            for (unsigned i = 0; i < requests[t]->request.lanes; i++)
                columns.insert(column_of(offset_of(*requests[t], i)));
        if (shared || columns.size() <= COLUMNS)
            break;
    }
    if (shared)
        for (unsigned bank = 0; bank < banks(); bank++)
            columns.insert(bank);
    std::map<uint64_t, double> x_of;
    double x = LEFT;
    const double wide =
        shared ? (double)CELL : std::min<double>(CELL, 800.0 / (double)columns.size());
    for (uint64_t column : columns) {
        if (!x_of.empty() && !x_of.count(column - 1))
            x += 3; /* memory in between is left out */
        x_of[column] = x;
        x += wide;
    }
    d.line_of_text(shared ? "Over time: a row is a request, a column a bank; the number of "
                            "different words that the bank must give"
                          : format("Over time: a row is a request, a column %u bytes of memory "
                                   "(what nobody touches is left out); darker: more threads",
                                   piece),
                   grey, 11);
    d.y += 6;
    for (size_t t = 0; t < times; t++, d.y += ROW) {
        const CapturedRequest &c = *requests[t];
        std::map<uint64_t, Heat> heat;
        for (unsigned i = 0; i < c.request.lanes; i++)
            for (uint64_t at = offset_of(c, i); at < offset_of(c, i) + c.request.size;
                 at += WORD) {
                Heat &h = heat[column_of(at)];
                h.threads += h.words.empty() || !shared;
                h.words.insert(at / WORD);
            }
        d.text(LEFT - 6, d.y + 14, format("request %zu", t + 1), grey, "end");
        for (auto &column : x_of)
            d.box(column.second, d.y, wide - 1, ROW - 1, "#f2f4f6");
        for (auto &[column, h] : heat) {
            if (!x_of.count(column))
                continue; /* the end of an access that began before it */
            const unsigned weight = shared ? (unsigned)h.words.size() : h.threads;
            d.box(x_of[column], d.y, wide - 1, ROW - 1, shared && weight > 1 ? red : blue,
                  "none", shared ? 1 : std::min(1.0, 0.3 + weight / (double)banks()));
            if (shared)
                d.text(x_of[column] + wide / 2, d.y + 14, format("%u", weight), white, "middle",
                       10);
        }
        d.text(x + 8, d.y + 14, cost_of(c.request), grey);
    }
    if (times < requests.size()) {
        d.text(LEFT, d.y + 14, "and so on: only the first requests are drawn", grey);
        d.y += ROW;
    }
}

void draw_access(Drawing &d, const Requests &requests)
{
    const CapturedRequest &first = *requests[0];
    const Request &r = first.request;
    d.y += 10;
    const bool load = r.op == Op::global_load || r.op == Op::shared_load || r.op == Op::texture;
    d.line_of_text(format("%s%s %s %s: %s, %s%s%s", is_global(r.op) ? "global " : "",
                          op_name(r.op), load ? "from" : "to",
                          first.array.empty() ? "memory" : first.array.c_str(),
                          counted_as(threads_of(r), "thread", "threads").c_str(),
                          counted_as(r.size, "byte each", "bytes each").c_str(),
                          cost_of(r).empty() ? "" : "; ", cost_of(r).c_str()),
                   black, 13);
    d.line_of_text(std::string("The first request. In each word: which thread of the warp "
                               "touches it, or how many do") +
                       (is_global(r.op) ? ". A frame is a transaction" : ""),
                   grey, 11);
    draw_request(d, first);
    if (requests.size() > 1)
        draw_over_time(d, requests);
}

bool ends_with(const std::string &path, const char *end)
{
    const size_t length = strlen(end);
    return length == 0 ||
           (path.size() >= length && path.compare(path.size() - length, length, end) == 0 &&
            (path.size() == length || *end == '/' || path[path.size() - length - 1] == '/'));
}

} // namespace

} // namespace simgpu

using namespace simgpu;

extern "C" {

int simgpu_picture(FILE *out, const char *file, int line)
{
    std::vector<uint32_t> pcs;
    for (const CapturedRequest &c : captured)
        pcs.push_back(c.request.pc);
    resolve(pcs);
    std::vector<std::pair<uint64_t, Requests>>
        accesses; /* in the order of their first request */
    const CapturedRequest *any = nullptr;
    for (const CapturedRequest &c : captured) {
        const SourceLine s = source_of(c.request.pc);
        if (s.line != line || !ends_with(s.file, file))
            continue;
        any = any ? any : &c;
        if (c.launch != any->launch)
            continue; /* the picture is of one launch */
        const uint64_t key = (uint64_t)c.request.pc << 8 | (uint64_t)c.request.op;
        auto at = std::find_if(accesses.begin(), accesses.end(),
                               [&](const auto &a) { return a.first == key; });
        if (at == accesses.end())
            at = accesses.insert(at, {key, {}});
        at->second.push_back(&c);
    }
    if (!any)
        return 0;
    Drawing d;
    const SourceLine s = source_of(any->request.pc);
    d.y = 8;
    d.line_of_text(format("%s:%d", display_path(s.file).c_str(), line), black, 15);
    d.line_of_text(source_text(s.file, line));
    d.line_of_text(format("kernel %s, %s %u of block (%u,%u,%u), rules of %s",
                          any->kernel.c_str(), unit_name(), any->unit, any->block[0],
                          any->block[1], any->block[2],
                          settings.model == SIMGPU_C1060 ? "the C1060" : "a modern GPU"),
                   grey);
    for (auto &access : accesses)
        draw_access(d, access.second);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\" font-family=\"sans-serif\" role=\"img\">\n<title>What a %s touches "
            "at %s:%d</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n%s</svg>\n",
            d.width, d.y + 16, d.width, d.y + 16, unit_name(),
            for_xml(display_path(s.file)).c_str(), line, d.width, d.y + 16, d.body.c_str());
    return (int)accesses.size();
}

int simgpu_write_picture(const char *place)
{
    const char *colon = strrchr(place, ':');
    const std::string file(place, colon ? (size_t)(colon - place) : 0);
    const int line = colon ? atoi(colon + 1) : 0;
    std::string name = file.substr(file.rfind('/') + 1);
    name = format("%s-%d.svg", name.substr(0, name.rfind('.')).c_str(), line);
    std::vector<uint32_t> pcs;
    for (const CapturedRequest &c : captured)
        pcs.push_back(c.request.pc);
    resolve(pcs);
    std::set<int> others;
    for (const CapturedRequest &c : captured) {
        const SourceLine s = source_of(c.request.pc);
        if (ends_with(s.file, file.c_str()))
            others.insert(s.line);
    }
    if (!others.count(line)) {
        std::string list;
        for (int other : others)
            list += format(" %d", other);
        say(stderr,
            format("%s: no picture: this %s makes no access to memory there%s%s\n", place,
                   unit_name(), list.empty() ? "" : "; it makes some in lines", list.c_str()));
        return -1;
    }
    FILE *out = fopen(name.c_str(), "w");
    bool written = out && simgpu_picture(out, file.c_str(), line) > 0;
    written = out && fclose(out) == 0 && written;
    fprintf(stderr, written ? "The picture of %s is in %s\n" : "%s: cannot write %s\n", place,
            name.c_str());
    return written ? 0 : -1;
}

} // extern "C"
