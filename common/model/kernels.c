/* SPDX-License-Identifier: MIT */
#include "common/model/kernels.h"

#include "common/model/classical.h"

const struct kernel_model kernel_models[KERNEL_MODELS] = {
    {"add", 3, 0, 0},         {"sub", 3, 0, 0},       {"mul", 0, 1, 0},
    {"mulIncInc", 0, 1, 3},   {"mulIncDec", 0, 1, 3}, {"mulStoreDec", 0, 1, 2},
    {"mulStoreInc", 0, 1, 2}, {"mulAdd", 0, 1, 1},    {"mulIncIncInc", 0, 1, 5},
    {"mulSubInc", 0, 1, 3},
};

struct cost model_kernel(const struct kernel_model *kernel, long m)
{
    struct cost cost = {-1, 0, 0};
    double elements = (double)m * (double)m;
    if (kernel->product)
        cost = model_gpu8(NULL, product_of_size(m, m, m), 0);
    cost.flops = -1;
    cost.transactions +=
        kernel->sum_passes * elements / 32 + kernel->store_passes * elements / 16;
    cost.volume += 4 * elements * (kernel->sum_passes + kernel->store_passes);
    return cost;
}
