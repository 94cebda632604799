/* SPDX-License-Identifier: MIT */
#include "capture.h"

#include <string.h>

#include "common/device/backend.h"
#include "simgpu.h"

extern const struct step step_f32_traced;

static const struct variant *variant;
static struct step_run run;
static void *workspace, *matrices[3];
static int allocations_before; /* of runs that were closed again */

static void *zeros(size_t elements)
{
    void *memory = backend.allocate(elements * sizeof(float));
    if (!memory)
        log_fail("there is no memory for the matrices");
    backend.fill(memory, 0, elements * sizeof(float));
    return memory;
}

struct step_run *capture_open(const char *name, long m, long n, long k)
{
    variant = find_variant(step_f32_traced.variants, name);
    if (!variant)
        log_fail("the step has no such variant");
    size_t sizes[3] = {(size_t)m * k, (size_t)k * n, (size_t)m * n};
    for (int i = 0; i < 3; i++)
        matrices[i] = zeros(sizes[i]);
    run = whole_run(m, n, k, matrices[0], matrices[1], matrices[2]);
    run.context.leaf = step_f32_traced.leaves;
    workspace = NULL;
    return &run;
}

struct log capture_half_warp(int block, int half_warp)
{
    size_t elements = run_workspace(variant, &run);
    FILE *file = tmpfile();
    if (elements && !workspace)
        workspace = zeros(elements);
    if (!file)
        log_fail("no temporary file can be made");
    simgpu_count_reset();
    simgpu_capture((unsigned long)block, (unsigned)half_warp);
    simgpu_log_calls(file);
    simgpu_count_start();
    run_variant(variant, &run, workspace);
    simgpu_count_stop();
    simgpu_log_calls(NULL);
    simgpu_capture_write(file, NULL, 0, 0);
    simgpu_capture_stop();
    rewind(file);
    struct log log = log_read(file);
    fclose(file);
    for (struct log_request *r = log.requests; r < log.requests + log.request_count; r++)
        for (int i = 0; i < r->lanes && strcmp(r->space, "shared"); i++)
            r->of[i].allocation -= allocations_before;
    return log;
}

void capture_close(void)
{
    for (int i = 0; i < 3; i++)
        backend.release(matrices[i]);
    if (workspace)
        backend.release(workspace);
    allocations_before += workspace ? 4 : 3;
}
