/* SPDX-License-Identifier: MIT */
/** @file test_models.cpp
 * The two models on requests written out by hand: what the programming guides say of each
 * pattern.
 */
#include <cstdio>

#include "src/counts/counts.h"

using namespace simgpu;

static int failures;

/** `lanes` lanes, lane i at `first + i * stride` bytes. */
static Request strided(Op op, unsigned size, unsigned lanes, uint64_t first, uint64_t stride)
{
    Request r = {};
    r.op = op;
    r.size = size;
    r.lanes = lanes;
    for (unsigned i = 0; i < lanes; i++) {
        r.address[i] = first + i * stride;
        r.lane[i] = (uint8_t)i;
    }
    return r;
}

static void global(const char *what, simgpu_model model, const Request &r,
                   unsigned transactions, unsigned bytes, unsigned useful)
{
    GlobalCost cost = global_cost(model, r);
    if (cost.transactions != transactions || cost.bytes != bytes || cost.useful != useful) {
        printf("%s, %s: %u transactions, %u bytes, %u useful; expected %u, %u, %u\n", what,
               simgpu_model_name(model), cost.transactions, cost.bytes, cost.useful,
               transactions, bytes, useful);
        failures++;
    }
}

static void shared(const char *what, simgpu_model model, const Request &r, unsigned passes,
                   unsigned ideal)
{
    SharedCost cost = shared_cost(model, r);
    if (cost.passes != passes || cost.ideal != ideal) {
        printf("%s, %s: %u passes, ideal %u; expected %u, %u\n", what, simgpu_model_name(model),
               cost.passes, cost.ideal, passes, ideal);
        failures++;
    }
}

int main()
{
    const simgpu_model old = SIMGPU_C1060, now = SIMGPU_MODERN;
    const Op load = Op::global_load;
    global("floats in a row", old, strided(load, 4, 16, 0, 4), 1, 64, 64);
    global("floats in the upper half", old, strided(load, 4, 16, 64, 4), 1, 64, 64);
    global("floats one element off", old, strided(load, 4, 16, 4, 4), 1, 128, 64);
    global("floats across segments", old, strided(load, 4, 16, 96, 4), 2, 64, 64);
    global("every other float", old, strided(load, 4, 16, 0, 8), 1, 128, 64);
    global("a column", old, strided(load, 4, 16, 0, 4096), 16, 512, 64);
    global("one float", old, strided(load, 4, 16, 36, 0), 1, 32, 4);
    global("8 lanes of floats", old, strided(load, 4, 8, 32, 4), 1, 32, 32);
    global("doubles in a row", old, strided(load, 8, 16, 0, 8), 1, 128, 128);
    global("float4 in a row", old, strided(load, 16, 16, 0, 16), 2, 256, 256);
    global("bytes in a row", old, strided(load, 1, 16, 0, 1), 1, 32, 16);
    global("bytes across segments of 32", old, strided(load, 1, 16, 24, 1), 2, 64, 16);
    global("every other byte", old, strided(load, 1, 16, 0, 2), 1, 32, 16);
    global("shorts in a row", old, strided(load, 2, 16, 32, 2), 1, 32, 32);
    global("shorts 8 bytes apart", old, strided(load, 2, 16, 0, 8), 2, 128, 32);
    global("floats in a row", now, strided(load, 4, 32, 0, 4), 4, 128, 128);
    global("floats one element off", now, strided(load, 4, 32, 4, 4), 5, 160, 128);
    global("every other float", now, strided(load, 4, 32, 0, 8), 8, 256, 128);
    global("a column", now, strided(load, 4, 32, 0, 4096), 32, 1024, 128);
    global("one float", now, strided(load, 4, 32, 36, 0), 1, 32, 4);
    global("float4 in a row", now, strided(load, 16, 32, 0, 16), 16, 512, 512);

    const Op read = Op::shared_load, write = Op::shared_store;
    shared("stride 1", old, strided(read, 4, 16, 0, 4), 1, 1);
    shared("stride 2", old, strided(read, 4, 16, 0, 8), 2, 1);
    shared("stride 3", old, strided(read, 4, 16, 0, 12), 1, 1);
    shared("stride 16", old, strided(read, 4, 16, 0, 64), 16, 1);
    shared("stride 17", old, strided(read, 4, 16, 0, 68), 1, 1);
    shared("one word", old, strided(read, 4, 16, 20, 0), 1, 1);
    shared("one word, stored", old, strided(write, 4, 16, 20, 0), 1, 1);
    shared("doubles", old, strided(read, 8, 16, 0, 8), 4, 2);
    shared("float4", old, strided(read, 16, 16, 0, 16), 16, 4);
    shared("float4, rows of 65 floats", old, strided(write, 16, 16, 0, 260), 4, 4);
    Request r = strided(read, 4, 16, 0, 4);
    for (unsigned i = 8; i < 16; i++)
        r.address[i] = 0;
    shared("half of them one word", old, r, 1, 1);
    for (unsigned i = 0; i < 16; i++)
        r.address[i] = i < 8 ? 0 : 4;
    shared("two words", old, r, 2, 1);
    r = strided(read, 4, 16, 0, 4);
    r.address[1] = 64;
    shared("two words in one bank", old, r, 2, 1);
    shared("stride 1", now, strided(read, 4, 32, 0, 4), 1, 1);
    shared("stride 2", now, strided(read, 4, 32, 0, 8), 2, 1);
    shared("stride 32", now, strided(read, 4, 32, 0, 128), 32, 1);
    shared("stride 33", now, strided(read, 4, 32, 0, 132), 1, 1);
    shared("one word", now, strided(read, 4, 32, 20, 0), 1, 1);
    shared("doubles", now, strided(read, 8, 32, 0, 8), 2, 2);
    shared("float4", now, strided(read, 16, 32, 0, 16), 4, 4);
    for (unsigned i = 0; i < 16; i++)
        r.address[i] = i < 8 ? 0 : 4;
    shared("two words", now, r, 1, 1);

    printf("%s\n", failures ? "FAILED" : "both models follow their rules");
    return failures != 0;
}
