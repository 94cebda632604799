/* SPDX-License-Identifier: MIT */
#include "log.h"

#include <stdlib.h>
#include <string.h>

#include "common/measure/json.h"

void log_fail(const char *what)
{
    fprintf(stderr, "this picture cannot be drawn: %s\n", what);
    exit(1);
}

/* Room for one more behind `count` of them. */
static void *grown(void *list, int count, size_t size)
{
    if (count & (count - 1)) /* the space is doubled at every power of two */
        return list;
    void *larger = realloc(list, (count ? 2 * (size_t)count : 1) * size);
    if (!larger)
        log_fail("not enough memory");
    return larger;
}

static int whole(const char *line, const char *name)
{
    return (int)json_get_number(line, name);
}

static void three(const char *line, const char *name, int *to)
{
    const char *list = json_find(line, name);
    if (!list || sscanf(list, "[%d,%d,%d]", &to[0], &to[1], &to[2]) != 3)
        log_fail("a launch without its shape");
}

static void read_call(const char *line, struct log_call *c)
{
    memset(c, 0, sizeof *c);
    json_get_text(line, "call", c->call, sizeof c->call);
    if (strcmp(c->call, "launch"))
        return;
    json_get_text(line, "kernel", c->kernel, sizeof c->kernel);
    c->launch = whole(line, "launch");
    three(line, "grid", c->grid), three(line, "block", c->block);
}

static void read_request(const char *line, const char *lanes, struct log_request *r)
{
    memset(r, 0, sizeof *r);
    json_get_text(line, "space", r->space, sizeof r->space);
    json_get_text(line, "op", r->op, sizeof r->op);
    json_get_text(line, "array", r->array, sizeof r->array);
    json_get_text(line, "kernel", r->kernel, sizeof r->kernel);
    r->launch = whole(line, "launch"), r->line = whole(line, "line"),
    r->site = whole(line, "site");
    r->occurrence = whole(line, "occurrence"), r->size = whole(line, "size");
    for (lanes++; r->lanes < LOG_LANES &&
                  sscanf(lanes, "[%d,%d,%ld]", &r->of[r->lanes].lane,
                         &r->of[r->lanes].allocation, &r->of[r->lanes].offset) == 3;
         r->lanes++)
        lanes = strchr(lanes, ']') + 1, lanes += *lanes == ',';
}

struct log log_read(FILE *file)
{
    struct log log = {0};
    char *line = NULL;
    size_t capacity = 0;
    while (getline(&line, &capacity, file) > 0) {
        const char *lanes;
        if (json_find(line, "call")) {
            log.calls = grown(log.calls, log.call_count, sizeof *log.calls);
            read_call(line, &log.calls[log.call_count++]);
        } else if ((lanes = json_find(line, "lanes"))) {
            log.requests = grown(log.requests, log.request_count, sizeof *log.requests);
            read_request(line, lanes, &log.requests[log.request_count++]);
        }
    }
    free(line);
    if (log.call_count + log.request_count == 0)
        log_fail("the program logged nothing");
    return log;
}

void log_free(struct log *log)
{
    free(log->calls);
    free(log->requests);
}
