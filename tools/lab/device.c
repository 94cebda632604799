/* SPDX-License-Identifier: MIT */
#include "device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/device/backend.h"
#include "common/device/caller.h"
#include "exercises/divide.h"
#include "exercises/worker.h"

extern void simgpu_keep_shared(const char *file, unsigned x, unsigned y) __attribute__((weak));
extern int simgpu_get_kept_shared(int index, struct simgpu_kept_shared *kept)
    __attribute__((weak));

/* What the checker asks for. */
struct order {
    enum {
        ALLOCATE,
        RELEASE,
        UPLOAD,
        DOWNLOAD,
        COPY_2D,
        FILL,
        POISON,
        FREE,
        COUNT,
        COUNTED,
        FAULT,
        LAST_LAUNCH,
        FINISH
    } what;
    void *at;
    const void *from;
    size_t bytes, pitch, from_pitch, rows;
    int number;
    struct counting counting;
    struct counts counts;
};

/* Copies a text to the other process. */
static void leave_text(const char *text)
{
    snprintf(worker_room(), WORKER_ROOM, "%s", text ? text : "");
}

static void carry_out(void *what)
{
    struct order *o = what;
    switch (o->what) {
    case ALLOCATE:
        o->at = backend.allocate(o->bytes);
        break;
    case RELEASE:
        backend.release(o->at);
        break;
    case UPLOAD:
        backend.upload(o->at, worker_room(), o->bytes);
        break;
    case DOWNLOAD:
        backend.download(worker_room(), o->from, o->bytes);
        break;
    case COPY_2D:
        backend.copy_2d(o->at, o->pitch, o->from, o->from_pitch, o->bytes, o->rows);
        break;
    case FILL:
        backend.fill(o->at, o->number, o->bytes);
        break;
    case POISON:
        backend.poison(o->at, o->bytes);
        break;
    case FREE:
        o->bytes = backend.memory_free();
        break;
    case COUNT:
        backend.count_start(&o->counting);
        break;
    case COUNTED:
        o->counts = backend.count_stop();
        break;
    case FAULT:
    case LAST_LAUNCH: {
        const char *text = o->what == FAULT ? backend.fault() : backend.last_launch();
        o->number = text != NULL;
        leave_text(text);
        break;
    }
    case FINISH:
        o->number = backend.finish();
    }
}

void device_call(void (*run)(void *what), void *what, size_t bytes)
{
    if (caller.apart)
        caller.apart(run, what, bytes, NULL, 0);
    else
        run(what);
}

static struct order ask(struct order order)
{
    device_call(carry_out, &order, sizeof order);
    return order;
}

/* A copy of the text that the other process has left, which could still change it. */
static char *take_text(void)
{
    static char *taken;
    free(taken);
    taken = strndup(worker_room(), WORKER_ROOM - 1);
    return taken ? taken : strdup("");
}

/* ---- the checker's backend ---- */

static const char *nothing_missing(void) { return NULL; }

/* A reference that is not made here would be worth nothing. */
static const char *no_vendor(int threads) { return threads ? NULL : NULL; }

static void *allocate(size_t bytes) { return ask((struct order){ALLOCATE, .bytes = bytes}).at; }

static void release(void *block) { ask((struct order){RELEASE, block}); }

static void upload(void *to, const void *from, size_t bytes)
{
    for (size_t at = 0, piece; at < bytes; at += piece) {
        piece = bytes - at < WORKER_ROOM ? bytes - at : WORKER_ROOM;
        memcpy(worker_room(), (const char *)from + at, piece);
        ask((struct order){UPLOAD, (char *)to + at, .bytes = piece});
    }
}

static void download(void *to, const void *from, size_t bytes)
{
    for (size_t at = 0, piece; at < bytes; at += piece) {
        piece = bytes - at < WORKER_ROOM ? bytes - at : WORKER_ROOM;
        ask((struct order){DOWNLOAD, .from = (const char *)from + at, .bytes = piece});
        memcpy((char *)to + at, worker_room(), piece);
    }
}

static void copy_2d(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                    size_t width, size_t rows)
{
    ask((struct order){COPY_2D, to, from, width, to_pitch, from_pitch, rows});
}

static void fill(void *block, int byte, size_t bytes)
{
    ask((struct order){FILL, block, .bytes = bytes, .number = byte});
}

static void poison(void *block, size_t bytes)
{
    ask((struct order){POISON, block, .bytes = bytes});
}

static size_t memory_free(void) { return ask((struct order){FREE}).bytes; }

static void count_start(const struct counting *counting)
{
    ask((struct order){COUNT, .counting = *counting});
}

static struct counts count_stop(void) { return ask((struct order){COUNTED}).counts; }

static const char *fault(void)
{
    return ask((struct order){FAULT}).number ? take_text() : NULL;
}

static const char *last_launch(void)
{
    return ask((struct order){LAST_LAUNCH}).number ? take_text() : NULL;
}

static int finish(void) { return ask((struct order){FINISH}).number; }

/* The other process attempts what it calls (common/check/trial.c). */
static bool attempt(void (*run)(void *what), void *what)
{
    run(what);
    return true;
}

void device_connect(void)
{
    backend.missing = nothing_missing;
    backend.vendor = no_vendor;
    backend.memory_free = memory_free;
    backend.allocate = allocate;
    backend.release = release;
    backend.upload = upload;
    backend.download = download;
    backend.copy_2d = copy_2d;
    backend.fill = fill;
    backend.poison = poison;
    backend.count_start = count_start;
    backend.count_stop = count_stop;
    backend.fault = fault;
    backend.last_launch = last_launch;
    backend.finish = finish;
    backend.attempt = attempt;
}

/* ---- texts, and shared arrays ---- */

struct writing {
    void (*run)(FILE *out, const void *argument);
    const void *argument;
    char *text;
};

static void write_text(void *what)
{
    struct writing *w = what;
    size_t size;
    w->text = NULL;
    FILE *out = open_memstream(&w->text, &size);
    if (!out)
        return;
    w->run(out, w->argument);
    fclose(out);
    if (worker_room())
        leave_text(w->text);
}

char *device_text(void (*run)(FILE *out, const void *argument), const void *argument)
{
    static char *direct;
    struct writing w = {run, argument, NULL};
    device_call(write_text, &w, sizeof w);
    if (caller.apart)
        return take_text();
    free(direct);
    direct = w.text;
    return direct;
}

struct keeping {
    const char *file;
    unsigned x, y;
    int index, found;
    struct simgpu_kept_shared kept;
};

static void keep(void *what)
{
    struct keeping *k = what;
    simgpu_keep_shared(k->file, k->x, k->y);
}

void device_keep_shared(const char *file, unsigned x, unsigned y)
{
    struct keeping k = {file, x, y, 0, 0, {0}};
    device_call(keep, &k, sizeof k);
}

enum { NAME = 256 };

static void get_kept(void *what)
{
    struct keeping *k = what;
    char *room = worker_room();
    k->found = simgpu_get_kept_shared(k->index, &k->kept);
    if (!k->found || !room)
        return;
    k->found = k->kept.size <= WORKER_ROOM - NAME;
    snprintf(room, NAME, "%s", k->kept.name);
    if (k->found)
        memcpy(room + NAME, k->kept.bytes, k->kept.size);
}

bool device_get_kept_shared(int index, struct simgpu_kept_shared *kept)
{
    static char name[NAME], *bytes;
    struct keeping k = {.index = index};
    device_call(get_kept, &k, sizeof k);
    *kept = k.kept;
    if (!k.found || !caller.apart)
        return k.found;
    free(bytes);
    bytes = malloc(WORKER_ROOM);
    if (!bytes || k.kept.size > WORKER_ROOM - NAME || k.kept.row > k.kept.size ||
        k.kept.element > 8)
        return false;
    memcpy(bytes, worker_room(), WORKER_ROOM);
    snprintf(name, NAME, "%.*s", NAME - 1, bytes);
    kept->name = name, kept->bytes = bytes + NAME;
    return true;
}

/* ---- for exercises ---- */

void divide_on_the_host(void *at, int size, long ld, long rows, long cols, double divisor)
{
    size_t bytes = (size_t)cols * (size_t)size;
    double *row = malloc(bytes);
    for (long i = 0; i < rows && row; i++) {
        char *place = (char *)at + (size_t)(i * ld) * (size_t)size;
        backend.download(row, place, bytes);
        for (long j = 0; j < cols; j++) {
            float *narrow = (float *)row + j;
            if (size == sizeof *narrow && !isnan(*narrow)) /* a NaN names who wrote it */
                *narrow = (float)(*narrow / divisor);
            else if (size == sizeof *row && !isnan(row[j]))
                row[j] /= divisor;
        }
        backend.upload(place, row, bytes);
    }
    free(row);
}
