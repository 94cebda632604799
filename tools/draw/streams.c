/* SPDX-License-Identifier: MIT */
/* draw-streams N LOGGED LEVELS FLOPS BANDWIDTH [json] <calls: draws the kernels of a run on
 * their streams over time, as SVG, or prints the boxes as JSON for the site's player. The run
 * was logged with --calls at n = LOGGED; drawn is n = N, at FLOPS operations and BANDWIDTH
 * bytes a second: a product takes as long as its operations, a sum as long as its bytes. A
 * kernel begins when its stream is free and the events that its stream waits for have come. A
 * launch of products fills the GPU, so one that was asked for later also waits for the products
 * before it; sums run beside them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "svg.h"

enum { STREAMS = 64, EVENTS = 4096, MOST = 4096, WAITS = 16 };

struct box {
    const struct log_call *call;
    double begin, end; /* ms */
    int after[WAITS], waits, products, lane;
};
static struct box boxes[MOST];
static int box_count;

/* The time at which a stream is free or an event came, and the box that ended then, or -1. */
struct moment {
    double time;
    int box;
};
static struct moment stream_free[STREAMS], event_came[EVENTS];
static double multiplied; /* when all products so far are done */
static struct moment pending[STREAMS][WAITS];
static int pending_count[STREAMS];

static int lanes_of[STREAMS], lane_count, lane_multiplies[STREAMS];

static int products_of(const struct log_call *c)
{
    if (!strncmp(c->kernel, "leaf", 4))
        return c->grid[2];
    return strncmp(c->kernel, "fused", 5)
               ? 0
               : 7; /* the fused kernel makes a level's products one by one */
}

static void launch(const struct log_call *c, double n, double logged, double product,
                   double flops, double bandwidth)
{
    struct box *b = &boxes[box_count];
    if (box_count == MOST)
        log_fail("too many launches");
    b->call = c, b->products = products_of(c), b->waits = 0;
    double time = b->products ? b->products * product / flops
                              : c->bytes * (n / logged) * (n / logged) / bandwidth;
    b->begin = stream_free[c->stream].time;
    for (int i = 0; i < pending_count[c->stream]; i++) {
        struct moment m = pending[c->stream][i];
        b->begin = fmax(b->begin, m.time);
        int known = m.box < 0;
        for (int j = 0; j < b->waits; j++)
            known |= b->after[j] == m.box;
        if (!known)
            b->after[b->waits++] = m.box;
    }
    pending_count[c->stream] = 0;
    if (b->products)
        b->begin = fmax(b->begin, multiplied);
    b->end = b->begin + time * 1e3;
    if (b->products)
        multiplied = b->end;
    stream_free[c->stream] = (struct moment){b->end, box_count++};
}

static void play(const struct log *log, double n, double logged, double product, double flops,
                 double bandwidth)
{
    for (int i = 0; i < STREAMS; i++)
        stream_free[i].box = -1;
    for (int i = 0; i < EVENTS; i++)
        event_came[i].box = -1;
    for (int i = 0; i < log->call_count; i++) {
        const struct log_call *c = &log->calls[i];
        if (c->stream < 0 || c->stream >= STREAMS || c->event < 0 || c->event >= EVENTS)
            log_fail("too many streams or events");
        if (!strcmp(c->call, "record"))
            event_came[c->event] = stream_free[c->stream];
        else if (!strcmp(c->call, "wait") && pending_count[c->stream] < WAITS)
            pending[c->stream][pending_count[c->stream]++] = event_came[c->event];
        else if (!strcmp(c->call, "launch"))
            launch(c, n, logged, product, flops, bandwidth);
    }
}

/* Streams with kernels, in the order of their numbers. */
static void find_lanes(void)
{
    for (int s = 0; s < STREAMS; s++) {
        int used = 0;
        for (int i = 0; i < box_count; i++)
            if (boxes[i].call->stream == s) {
                boxes[i].lane = lane_count;
                lane_multiplies[lane_count] |= boxes[i].products > 0;
                used = 1;
            }
        lanes_of[lane_count] = s;
        lane_count += used;
    }
}

static const char *lane_name(int lane)
{
    return lane_count == 1 ? "one stream" : lane_multiplies[lane] ? "products" : "sums";
}

/* Without the "_kernel" that ends it. */
static void short_name(const struct box *b, char *name)
{
    strcpy(name, b->call->kernel);
    char *tail = strstr(name, "_kernel");
    if (tail && !tail[7])
        *tail = 0;
}

static void print_json(double n)
{
    char name[64];
    printf("{\"n\":%g,\"lanes\":[", n);
    for (int i = 0; i < lane_count; i++)
        printf("%s\"%s\"", i ? "," : "", lane_name(i));
    printf("],\"steps\":[");
    for (int i = 0; i < box_count; i++) {
        const struct box *b = &boxes[i];
        short_name(b, name);
        printf("%s{\"stream\":%d,\"kernel\":\"%s\",\"products\":%d,\"begin\":%.6g,\"end\":%.6g,"
               "\"grid\":[%d,%d,%d],\"after\":[",
               i ? "," : "", b->lane, name, b->products, b->begin, b->end, b->call->grid[0],
               b->call->grid[1], b->call->grid[2]);
        for (int j = 0; j < b->waits; j++)
            printf("%s%d", j ? "," : "", b->after[j]);
        printf("]}");
    }
    printf("]}\n");
}

static const char *colour(const struct box *b)
{
    return b->products                            ? PALE_BLUE
           : !strncmp(b->call->kernel, "pack", 4) ? PALE_ORANGE
           : strstr(b->call->kernel, "combine")   ? PALE_GREEN
                                                  : "#e9d3e0";
}

static void draw(double n, int levels, double flops, double bandwidth)
{
    const double left = 84, right = 848, top = 44, high = 40, apart = 62;
    double end = 0;
    for (int i = 0; i < box_count; i++)
        end = fmax(end, boxes[i].end);
    const double base = top + lane_count * apart, scale = (right - left) / end;
    svg_begin(860, (int)base + 92, "Kernels on their streams over time");
    svg_bold(12, 24, 15, "start", BLACK, "Kernels on %d stream%s over time: n = %g, %d levels",
             lane_count, lane_count == 1 ? "" : "s", n, levels);
    for (int i = 0; i < lane_count; i++) {
        svg_text(left - 8, top + i * apart + 25, 13, "end", BLACK, "%s", lane_name(i));
        svg_box(left, top + i * apart, right - left, high, PALE, "#cccccc", 0.6);
    }
    for (int i = 0; i < box_count; i++) /* what a lane waited for, below the boxes */
        for (int j = 0; j < boxes[i].waits; j++) {
            const struct box *b = &boxes[i], *other = &boxes[b->after[j]];
            if (other->lane != b->lane)
                svg_line(left + other->end * scale,
                         top + other->lane * apart + (other->lane < b->lane ? high : 0),
                         left + b->begin * scale,
                         top + b->lane * apart + (other->lane < b->lane ? 0 : high), RED, 1.2);
        }
    for (int i = 0; i < box_count; i++) {
        const struct box *b = &boxes[i];
        double x = left + b->begin * scale, wide = (b->end - b->begin) * scale,
               y = top + b->lane * apart;
        svg_box(x, y, fmax(wide, 1.5), high, colour(b), "#777777", 0.8);
        if (wide > 60 && b->products) {
            svg_text(x + wide / 2, y + 25, 12, "middle", BLACK, "%d products", b->products);
        }
    }
    svg_line(left, base, right, base, GREY, 1);
    double tick = pow(10, floor(log10(end / 4)));
    tick *= end / tick > 20 ? 5 : end / tick > 8 ? 2 : 1;
    for (int i = 0; i * tick <= end; i++) {
        svg_line(left + i * tick * scale, base, left + i * tick * scale, base + 4, GREY, 1);
        svg_text(left + i * tick * scale, base + 17, 12, i ? "middle" : "start", GREY, "%g%s",
                 i * tick, i ? "" : " ms");
    }
    static const char *const keys[4] = {"products", "pack", "sums of the levels above",
                                        "combine"};
    static const char *const colours[4] = {PALE_BLUE, PALE_ORANGE, "#e9d3e0", PALE_GREEN};
    static const double at[4] = {0, 110, 190, 390};
    for (int i = 0; i < 4; i++) {
        svg_box(left + at[i], base + 32, 14, 14, colours[i], "#777777", 0.8);
        svg_text(left + at[i] + 20, base + 44, 12, "start", BLACK, "%s", keys[i]);
    }
    svg_line(left + 490, base + 39, left + 512, base + 39, RED, 1.2);
    svg_text(left + 518, base + 44, 12, "start", BLACK,
             "the later kernel waits for the earlier one");
    svg_text(left, base + 74, 12, "start", GREY,
             "A box is as long as its kernel takes alone, at %g TFLOP/s and %g TB/s. Products "
             "fill the GPU, one launch after the other.",
             flops / 1e12, bandwidth / 1e12);
    svg_end();
}

int main(int argc, char **argv)
{
    if (argc < 6 || argc > 7 || (argc == 7 && strcmp(argv[6], "json"))) {
        fprintf(
            stderr,
            "usage: draw-streams N LOGGED LEVELS FLOPS BANDWIDTH [json] <calls >picture.svg\n");
        return 2;
    }
    double n = atof(argv[1]), logged = atof(argv[2]), flops = atof(argv[4]),
           bandwidth = atof(argv[5]);
    int levels = atoi(argv[3]), products = 0;
    struct log log = log_read(stdin);
    play(&log, n, logged, 2 * pow(n / pow(2, levels), 3), flops, bandwidth);
    find_lanes();
    for (int i = 0; i < box_count; i++)
        products += boxes[i].products;
    if (products != (int)pow(7, levels))
        log_fail("the run multiplied another number of products than its levels have");
    if (argc == 7)
        print_json(n);
    else
        draw(n, levels, flops, bandwidth);
    log_free(&log);
    return 0;
}
