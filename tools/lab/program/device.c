/* SPDX-License-Identifier: MIT */
#include "device.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/device/backend.h"
#include "common/device/worker.h"

extern void simgpu_keep_shared(const char *file, unsigned x, unsigned y) __attribute__((weak));
extern int simgpu_get_kept_shared(int index, struct simgpu_kept_shared *kept)
    __attribute__((weak));

/* What the checker asks for; `run` is called where the device is. */
struct order {
    void (*run)(struct order *order);
    void *at;
    size_t bytes;
    int faults;
    struct counting counting;
    struct counts counts;
};

static void do_allocate(struct order *o) { o->at = backend.allocate(o->bytes); }
static void do_release(struct order *o) { backend.release(o->at); }
static void do_upload(struct order *o) { backend.upload(o->at, worker_room(), o->bytes); }
static void do_download(struct order *o) { backend.download(worker_room(), o->at, o->bytes); }
static void do_poison(struct order *o) { backend.poison(o->at, o->bytes); }
static void do_memory_free(struct order *o) { o->bytes = backend.memory_free(); }
static void do_count_start(struct order *o) { backend.count_start(&o->counting); }
static void do_count_stop(struct order *o) { o->counts = backend.count_stop(); }
static void do_finish(struct order *o) { o->faults = backend.finish(); }

static void carry_out(void *order) { ((struct order *)order)->run(order); }

void device_call(void (*run)(void *what), void *what, size_t bytes)
{
    worker_call(run, what, bytes, NULL, 0);
}

static struct order ask(struct order order)
{
    device_call(carry_out, &order, sizeof order);
    return order;
}

/* ---- texts ---- */

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
        snprintf(worker_room(), WORKER_ROOM, "%s", w->text), free(w->text);
}

char *device_text(void (*run)(FILE *out, const void *argument), const void *argument)
{
    static char *taken; /* a copy: the other process could still change its text */
    struct writing w = {run, argument, NULL};
    device_call(write_text, &w, sizeof w);
    free(taken);
    taken = worker_is_there() ? strndup(worker_room(), WORKER_ROOM - 1) : w.text;
    return taken;
}

/* What the simulated GPU says of its last launch, or, without an argument, of a fault. */
static void write_words(FILE *out, const void *of_launch)
{
    const char *text = of_launch ? backend.last_launch() : backend.fault();
    fputs(text ? text : "", out);
}

static const char *words_or_null(const void *of_launch)
{
    const char *text = device_text(write_words, of_launch);
    return text && *text ? text : NULL;
}

/* ---- the checker's backend ---- */

static const char *nothing_missing(void) { return NULL; }

/* A reference that is not made here would be worth nothing. */
static const char *no_vendor(int threads) { return threads ? NULL : NULL; }

static void *allocate(size_t bytes)
{
    return ask((struct order){do_allocate, .bytes = bytes}).at;
}

static void release(void *block) { ask((struct order){do_release, block}); }

static size_t piece_at(size_t at, size_t bytes)
{
    return bytes - at < WORKER_ROOM ? bytes - at : WORKER_ROOM;
}

static void upload(void *to, const void *from, size_t bytes)
{
    for (size_t at = 0, piece; at < bytes; at += piece) {
        piece = piece_at(at, bytes);
        memcpy(worker_room(), (const char *)from + at, piece);
        ask((struct order){do_upload, (char *)to + at, piece});
    }
}

static void download(void *to, const void *from, size_t bytes)
{
    for (size_t at = 0, piece; at < bytes; at += piece) {
        piece = piece_at(at, bytes);
        ask((struct order){do_download, (char *)from + at, piece});
        memcpy((char *)to + at, worker_room(), piece);
    }
}

static void poison(void *block, size_t bytes) { ask((struct order){do_poison, block, bytes}); }

static size_t memory_free(void) { return ask((struct order){do_memory_free}).bytes; }

static void count_start(const struct counting *counting)
{
    ask((struct order){do_count_start, .counting = *counting});
}

static struct counts count_stop(void) { return ask((struct order){do_count_stop}).counts; }

static const char *fault(void) { return words_or_null(NULL); }

static const char *last_launch(void) { return words_or_null(&backend); }

static int finish(void) { return ask((struct order){do_finish}).faults; }

/* The other process attempts what it calls (common/check/trial.c). */
static bool attempt(void (*run)(void *what), void *what)
{
    run(what);
    return true;
}

void device_connect(void)
{
    /* The table is among the constants; without `volatile` Clang leaves the stores out. */
    volatile struct backend *table = (struct backend *)(uintptr_t)&backend;
#ifndef __wasm__ /* a web page, whose constants can be written */
    size_t before = (uintptr_t)table % (size_t)sysconf(_SC_PAGESIZE);
    if (mprotect((char *)(uintptr_t)table - before, before + sizeof *table,
                 PROT_READ | PROT_WRITE) != 0)
        exit(EXIT_RESOURCE);
#endif
    table->missing = nothing_missing;
    table->vendor = no_vendor;
    table->memory_free = memory_free;
    table->allocate = allocate;
    table->release = release;
    table->upload = upload;
    table->download = download;
    table->poison = poison;
    table->count_start = count_start;
    table->count_stop = count_stop;
    table->fault = fault;
    table->last_launch = last_launch;
    table->finish = finish;
    table->attempt = attempt;
}

/* ---- shared arrays ---- */

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
    if (!k.found || !worker_is_there())
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
