/* SPDX-License-Identifier: MIT */
/** @file picture.cpp
 * Draws as an SVG what the captured warp touches at a source line. Each kind of access of the
 * line has a part of the picture: its first request with the number of each thread, and below
 * it the first requests one after another, so that time runs downwards. At the end comes what
 * all warps of the launch touch in the arrays of the line. Each cell names in its data
 * attributes the line, block and threads that it is of, for a page in which one can click on
 * it.
 */
#include "src/launch/blocks.h"

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

/** "FILE:LINE". */
std::string place_of(uint32_t pc)
{
    const SourceLine s = source_of(pc);
    return place_in(s.file, s.line);
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
    /** What is drawn until close() is a cell of these threads of the block. */
    void open(const std::string &place, const std::string &threads, const std::string &title,
              const std::string &block = "")
    {
        body += format("<g data-line=\"%s\" data-threads=\"%s\"%s><title>%s</title>\n",
                       for_xml(place).c_str(), threads.c_str(), block.c_str(),
                       for_xml(title).c_str());
    }
    void close() { body += "</g>\n"; }
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

/** The thread of the block that is lane 0 of the captured warp. */
unsigned first_thread(const CapturedRequest &c)
{
    return (settings.model == SIMGPU_C1060 ? c.unit / 2 : c.unit) * 32;
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
        std::string list;
        for (unsigned lane : lanes)
            list += format("%s%u", list.empty() ? "" : " ", first_thread(c) + lane);
        d.open(place_of(r.pc), list,
               format("%s %s", lanes.size() > 1 ? "threads" : "thread", list.c_str()));
        d.box(x, y, CELL - 1, ROW - 1, lanes.size() > 1 ? orange : blue);
        d.text(x + CELL / 2.0, y + 14,
               format(lanes.size() > 1 ? "×%u" : "%u",
                      lanes.size() > 1 ? (unsigned)lanes.size() : lanes[0]),
               white, "middle", 10);
        d.close();
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

/** Draws a heat map: all warps of a launch over an array or its banks. */
void draw_map(Drawing &d, const HeatMap &map, bool shared)
{
    Count most = 1, rows = 0;
    for (unsigned i = 0; i < HeatMap::ROWS * HeatMap::COLUMNS; i++)
        if (map.cells[i].requests) {
            most = std::max(most, map.cells[i].requests);
            rows = i / HeatMap::COLUMNS + 1;
        }
    d.y += 10;
    d.line_of_text(format("All %ss of the launch over %s", unit_name(), map.array.c_str()),
                   black, 13);
    d.line_of_text(
        format("A row: %s of each %s to it. A column: %s",
               map.times == 1 ? "the next request" : format("%llu requests", map.times).c_str(),
               unit_name(),
               shared ? format("a bank, with the most different words that one %s wants of it",
                               unit_name())
                            .c_str()
                      : format("%llu bytes, with the number of requests that touch them",
                               map.piece)
                            .c_str()),
        grey, 11);
    d.y += 14;
    for (unsigned i = 0; i < map.columns; i += 4)
        d.text(LEFT + i * CELL + 2, d.y,
               format(shared ? "bank %llu" : "+%llu", shared ? i : i * map.piece), grey);
    d.y += 4;
    for (Count row = 0; row < rows; row++, d.y += ROW) {
        d.text(LEFT - 6, d.y + 14, format("request %llu", row * map.times + 1), grey, "end");
        d.box(LEFT, d.y, map.columns * CELL - 1, ROW - 1, "#f2f4f6");
        for (unsigned i = 0; i < map.columns; i++) {
            const HeatMap::Cell &cell = map.cells[row * HeatMap::COLUMNS + i];
            if (!cell.requests)
                continue;
            const Count block = cell.thread / map.threads, thread = cell.thread % map.threads,
                        n = shared ? cell.words : cell.requests;
            d.open(place_of(cell.pc), format("%llu", thread),
                   format("%s: %s%s; first thread %llu of block %llu, %s",
                          shared ? format("bank %u", i).c_str()
                                 : format("bytes %llu to %llu", i * map.piece,
                                          (i + 1) * map.piece - 1)
                                       .c_str(),
                          counted_as((unsigned)cell.requests, "request", "requests").c_str(),
                          shared ? format(", at most %u words in one", cell.words).c_str() : "",
                          thread, block, place_of(cell.pc).c_str()),
                   format(" data-block=\"%llu\"", block));
            d.box(LEFT + i * CELL, d.y, CELL - 1, ROW - 1, shared && n > 1 ? red : blue, "none",
                  shared ? 1 : 0.45 + 0.55 * (double)n / (double)most);
            d.text(LEFT + i * CELL + CELL / 2.0, d.y + 14,
                   n < 1000 ? format("%llu", n) : format("%lluk", n / 1000), white, "middle",
                   10);
            d.close();
        }
    }
}

/** Does the path end in this file's name, or in this path? */
bool is_file(const std::string &path, const std::string &end)
{
    return end.empty() || path == end || ends_with(path, end[0] == '/' ? end : "/" + end);
}

} // namespace

extern "C" {

int simgpu_picture(FILE *out, const char *file, int line)
{
    resolve_captured();
    std::vector<std::pair<uint64_t, Requests>>
        accesses; /* in the order of their first request */
    const CapturedRequest *any = nullptr;
    std::map<uint32_t, bool> in_line; /* of each pc */
    for (const CapturedRequest &c : captured) {
        auto [place, is_new] = in_line.insert({c.request.pc, false});
        if (is_new) {
            const SourceLine s = source_of(c.request.pc);
            place->second = s.line == line && is_file(s.file, file);
        }
        if (!place->second)
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
    d.line_of_text(place_in(s.file, line), black, 15);
    d.line_of_text(source_text(s.file, line));
    const std::string launch =
        settings.capture_launch ? format(", launch %u", settings.capture_launch) : "";
    d.line_of_text(format("kernel %s%s, %s %u of block (%u,%u,%u), rules of %s",
                          any->kernel.c_str(), launch.c_str(), unit_name(), any->unit,
                          any->block[0], any->block[1], any->block[2],
                          settings.model == SIMGPU_C1060 ? "the C1060" : "a modern GPU"),
                   grey);
    std::set<uint64_t> arrays;
    for (auto &access : accesses) {
        draw_access(d, access.second);
        const CapturedRequest &c = *access.second[0];
        arrays.insert(
            array_key(is_shared(c.request.op), c.request.address[0] - c.place[0].second));
    }
    for (uint64_t array : arrays) {
        auto map = heat_maps.find({any->kernel, array});
        if (map != heat_maps.end())
            draw_map(d, map->second, array & 1);
    }
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
    resolve_captured();
    std::set<int> others;
    for (const CapturedRequest &c : captured) {
        const SourceLine s = source_of(c.request.pc);
        if (is_file(s.file, file))
            others.insert(s.line);
    }
    if (!others.count(line)) {
        const unsigned *b = settings.capture_blocks, *t = settings.capture_thread;
        std::string what = format("this %s makes no access to memory there", unit_name());
        if (!others.empty())
            what += "; it makes some in lines";
        for (int other : others)
            what += format(" %d", other);
        if (!without_captured.empty())
            what = format("%s, without thread (%u,%u,%u) of block (%u,%u,%u)",
                          without_captured.c_str(), t[0], t[1], t[2], b[0], b[1], b[2]);
        say(stderr, format("%s: no picture: %s\n", place, what.c_str()));
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

} // namespace simgpu
