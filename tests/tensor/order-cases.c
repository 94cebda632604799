/* SPDX-License-Identifier: MIT */
/** @file order-cases.c
 * The order in which step 21's variants `beside` must work in streams, from the simulated GPU's
 * log of calls: the sums of the next strip may run while a strip is multiplied, and nothing is
 * read before it is written or overwritten before it was read. The simulated GPU serves streams
 * at once, so a missing wait shows only here, not in the result.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/device/backend.h"
#include "common/measure/json.h"
#include "common/command/options.h"
#include "simgpu/simgpu.h"

extern const struct step step_f32;

enum { EDGE = 64, MOST_STREAMS = 16, MOST_EVENTS = 64, MOST_LAUNCHES = 64, STRIPS = 4 };

/* How far each stream has come: launches of it that are certainly over. */
struct times {
    int of[MOST_STREAMS];
};

struct launch {
    char kernel[64];
    int stream;
    struct times after; /* the launches that are complete when it starts, and itself */
};

static struct launch launches[MOST_LAUNCHES];
static int launch_count, mistakes;

static void wait_for(struct times *x, const struct times *y)
{
    for (int i = 0; i < MOST_STREAMS; i++)
        x->of[i] = y->of[i] > x->of[i] ? y->of[i] : x->of[i];
}

/* Reads the log. The caller's work in stream 0 before it is a separate launch, "before"; what
 * comes after all is "after". */
static void read_log(FILE *log)
{
    static struct times streams[MOST_STREAMS], events[MOST_EVENTS];
    char line[1024], call[16];
    launches[0] = (struct launch){"before", 0, {{1}}};
    launch_count = 1;
    streams[0] = launches[0].after;
    rewind(log);
    while (fgets(line, sizeof line, log)) {
        double stream_number = json_get_number(line, "stream"),
               event = json_get_number(line, "event");
        int stream = (int)stream_number;
        json_get_text(line, "call", call, sizeof call);
        if (!(stream_number >= 0 && stream_number < MOST_STREAMS) || event >= MOST_EVENTS ||
            launch_count >= MOST_LAUNCHES - 1) {
            printf("no room for: %s", line);
            exit(EXIT_WRONG);
        }
        if (strcmp(call, "launch") == 0) {
            struct launch *x = &launches[launch_count++];
            json_get_text(line, "kernel", x->kernel, sizeof x->kernel);
            x->stream = stream;
            streams[stream].of[stream]++;
            x->after = streams[stream];
            continue;
        }
        if (strcmp(call, "record") == 0)
            events[(int)event] = streams[stream];
        else
            wait_for(&streams[stream], &events[(int)event]);
    }
    streams[0].of[0]++;
    launches[launch_count] = (struct launch){"after", 0, streams[0]};
    launch_count++;
}

/* The number-th launch of a kernel. */
static const struct launch *launch_of(const char *kernel, int number)
{
    for (int i = 0; i < launch_count; i++)
        if (strcmp(launches[i].kernel, kernel) == 0 && number-- == 0)
            return &launches[i];
    printf("%s was not launched so often\n", kernel);
    exit(EXIT_WRONG);
}

static bool is_before(const struct launch *x, const struct launch *y)
{
    return x != y && y->after.of[x->stream] >= x->after.of[x->stream];
}

static void expect(const char *first, int i, const char *second, int j, bool ordered)
{
    const struct launch *x = launch_of(first, i), *y = launch_of(second, j);
    bool is = is_before(x, y), reverse = is_before(y, x);
    if (ordered ? is : !is && !reverse)
        return;
    printf("%s %d must %s %s %d\n", first, i,
           ordered ? "be over before" : "not wait for, nor be awaited by,", second, j);
    mistakes++;
}

static void *buffer(size_t bytes)
{
    void *memory = backend.allocate(bytes);
    if (!memory) {
        printf("no memory\n");
        exit(EXIT_RESOURCE);
    }
    backend.fill(memory, 0, bytes);
    return memory;
}

int main(void)
{
    enum {
        RIGHT,
        LEFT
    }; /* the first launch for the factors makes B's, the others A's strips */
    const char *multiply = "multiply_plain_kernel", *join = "join_one_level_kernel",
               *factors = "factors";
    const struct variant *v = find_variant(step_f32.variants, "fp16-beside");
    size_t bytes = sizeof(float) * EDGE * EDGE;
    void *matrix[] = {buffer(bytes), buffer(bytes), buffer(bytes)};
    struct context ctx = {.threads = 1};
    struct product p = product_of_size(EDGE, EDGE, EDGE);
    p.a.at = matrix[0], p.b.at = matrix[1], p.c.at = matrix[2];
    void *workspace = buffer(v->workspace(&ctx, p, 1) * sizeof(float));
    v->multiply(&ctx, p, 1, workspace); /* makes the lanes */
    FILE *log = tmpfile();
    simgpu_log_calls(log);
    v->multiply(&ctx, p, 1, workspace);
    simgpu_log_calls(NULL);
    read_log(log);
    fclose(log);

    expect("before", 0, factors, RIGHT, true);
    expect(factors, RIGHT, multiply, 0, true);
    for (int i = 0; i < STRIPS; i++) {
        expect("before", 0, factors, LEFT + i, true);
        expect(factors, LEFT + i, multiply, i, true);
        expect(multiply, i, join, i, true);
        expect(join, i, "repair_kernel", i, true);
        expect("repair_kernel", i, "after", 0, true);
        if (i + 1 < STRIPS) /* the purpose of the variant */
            expect(multiply, i, factors, LEFT + i + 1, false);
        if (i > 0 && i + 1 < STRIPS)
            expect(join, i - 1, multiply, i, false);
        if (i + 2 < STRIPS) { /* whose buffer it is then */
            expect(multiply, i, factors, LEFT + i + 2, true);
            expect(join, i, multiply, i + 2, true);
        }
    }
    for (int i = 0; i < 3; i++)
        backend.release(matrix[i]);
    backend.release(workspace);
    printf("%d mistakes\n", mistakes);
    return mistakes ? EXIT_WRONG : EXIT_RIGHT;
}
