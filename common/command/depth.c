/* SPDX-License-Identifier: MIT */
#include "common/command/depth.h"

#include "common/sizes.h"

/* The depth without --unfused. */
static struct depth depth_by_thresholds(const struct options *o)
{
    long smallest = smaller(smaller(o->m, o->n), o->k);
    struct depth depth = {0, 1};
    if (!o->step->leaves)
        return depth;
    if (o->levels >= 0) {
        for (; depth.levels < o->levels && smallest > 1; smallest /= 2)
            depth.levels++;
        return depth;
    }
    bool given = o->tau1 || o->tau2;
    long tau1 = o->tau1 ? o->tau1 : o->tau2 ? o->tau2 / 2 : o->step->default_tau1;
    long tau2 = o->tau2 ? o->tau2 : 2 * tau1;
    for (; smallest > tau2 && smallest > 1; smallest /= 2)
        depth.levels++;
    depth.fused = smallest > tau1 && smallest > 1;
    depth.levels += depth.fused;
    if (!given && depth.levels == 0 && smallest > 1) /* a step shows at least one level */
        depth.levels = depth.fused = 1;
    return depth;
}

struct depth depth_of(const struct options *o)
{
    struct depth depth = depth_by_thresholds(o);
    depth.fused = depth.fused && !o->unfused;
    return depth;
}
