/* SPDX-License-Identifier: MIT */
/* look-NN VARIANT M N K LEVELS SETTING GROUPS BLOCK...: runs a variant of the step that it is
 * linked with (its build that counts) on matrices of zeros, once for each of the first GROUPS
 * half-warps of each BLOCK, and prints in lines of JSON what the simulated GPU records: the
 * run's launches, where its textures begin (in bytes from A), and the half-warp's requests.
 * Allocations 1, 2 and 3 are A, B and C. SETTING is the first of the step's own numbers.
 * facts.py compares it.
 */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/device/backend.h"
#include "common/step.h"
#include "simgpu.h"

extern const struct step step_f32_traced;
static struct context ctx = {.threads = 1};
static struct product product;

static void fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", step_f32_traced.name, what);
    exit(1);
}

static void *zeros(size_t elements)
{
    void *memory = backend.allocate(elements * sizeof(float));
    if (!memory)
        fail("there is no memory for the matrices");
    backend.fill(memory, 0, elements * sizeof(float));
    return memory;
}

/* The linker (--wrap) sends every call that makes a texture through this function. */
#define TEXTURE_PARAMETERS                                                                     \
    cudaTextureObject_t *object, const struct cudaResourceDesc *r,                             \
        const struct cudaTextureDesc *t, const struct cudaResourceViewDesc *v,                 \
        const char *file, int line
cudaError_t __real_simgpu_create_texture(TEXTURE_PARAMETERS);
cudaError_t __wrap_simgpu_create_texture(TEXTURE_PARAMETERS);
cudaError_t __wrap_simgpu_create_texture(TEXTURE_PARAMETERS)
{
    printf("{\"texture\":%td}\n", (char *)r->res.linear.devPtr - (char *)product.a.at);
    return __real_simgpu_create_texture(object, r, t, v, file, line);
}

static void look(const struct variant *variant, int levels, int block, int group,
                 void *workspace)
{
    printf("{\"block\":%d,\"group\":%d}\n", block, group);
    simgpu_count_reset();
    simgpu_capture((unsigned long)block, (unsigned)group);
    simgpu_log_calls(stdout);
    simgpu_count_start();
    variant_multiply(variant, &ctx, product, levels, workspace);
    simgpu_count_stop();
    simgpu_log_calls(NULL);
    simgpu_capture_write(stdout, NULL, 0, 0);
    simgpu_capture_stop();
}

int main(int argc, char **argv)
{
    if (argc < 9) {
        fprintf(stderr, "usage: %s VARIANT M N K LEVELS SETTING GROUPS BLOCK...\n", argv[0]);
        return 2;
    }
    const struct variant *variant = find_variant(step_f32_traced.variants, argv[1]);
    long m = atol(argv[2]), n = atol(argv[3]), k = atol(argv[4]);
    if (!variant)
        fail("the step has no such variant");
    void *a = zeros((size_t)(m * k)), *b = zeros((size_t)(k * n)), *c = zeros((size_t)(m * n));
    int levels = atoi(argv[5]);
    product = product_of_size(m, n, k);
    product.a.at = a, product.b.at = b, product.c.at = c;
    ctx.fused = levels > 0, ctx.leaf = step_f32_traced.leaves;
    ctx.settings[0] = atol(argv[6]);
    size_t elements = variant->workspace ? variant->workspace(&ctx, product, levels) : 0;
    void *workspace = elements ? zeros(elements) : NULL;
    for (int i = 8; i < argc; i++)
        for (int group = 0; group < atoi(argv[7]); group++)
            look(variant, levels, atoi(argv[i]), group, workspace);
    backend.release(a), backend.release(b), backend.release(c);
    if (workspace)
        backend.release(workspace);
    return 0;
}
