/* SPDX-License-Identifier: MIT */
/** @file place_cpu.c
 * Ranks that multiply on the processor.
 */
#include "common/device/libraries/vendor.h"
#include "place.h"
#include "steps/02-cpu-blocked/packed.h"

const struct place *const place_of_leaves = &place_host;

void *place_allocate_outside(size_t bytes) { return place_host.allocate(bytes); }

void place_release_outside(void *block) { place_host.release(block); }

const char *place_outside_is(void) { return NULL; }

const char place_twin[] =
    "this program multiplies on the processor; 22-gpus, in the same folder, on GPUs";

/* Asking for one of the twin's leaves prints where it is. */
static const char *in_twin(void)
{
    return "this program multiplies on the processor; 22-gpus, in the same folder, has this "
           "leaf";
}

const struct leaf place_leaves[] = {
    {.name = "packed",
     .sentence = "step 02's packed kernel",
     .multiply = multiply_packed,
     .workspace = workspace_packed},
    {.name = "openblas",
     .sentence = "OpenBLAS",
     .multiply = multiply_openblas,
     .missing = openblas_missing},
    {.name = "cublas", .sentence = "only in the program 22-gpus", .missing = in_twin},
    {.name = "library", .sentence = "only in the program 22-gpus", .missing = in_twin},
    {.name = "tensor", .sentence = "only in the program 22-gpus", .missing = in_twin},
    {.name = "exact", .sentence = "only in the program 22-gpus", .missing = in_twin},
    {0},
};

struct leaf_work *place_leaf_work(void) { return NULL; }

double place_leaf_bytes(const char *leaf, struct product p)
{
    (void)leaf, (void)p;
    return 0;
}

void place_leaf_rest(void) {}

int place_ranks(void) { return 1; }

const char *place_open(int number, int ranks)
{
    (void)number, (void)ranks;
    return NULL;
}

void place_close(void) {}
