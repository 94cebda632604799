/* SPDX-License-Identifier: MIT */
#include "common/measure/timed_variant.h"

#include <stdio.h>

#include "common/device/backend.h"
#include "common/device/host.h"

double time_variant(void *what)
{
    const struct timed_variant *t = what;
    backend.start();
    if (t->simple)
        t->simple(t->product.a, t->product.b, t->product.c);
    else
        t->multiply(t->ctx, t->product, t->levels, t->workspace);
    return backend.stop();
}

bool no_times(const char *option, const struct leaf *leaf)
{
    const char *missing = leaf && leaf->missing ? leaf->missing() : NULL;
    if (backend.simulated)
        say(stderr, "--%s: the simulated GPU has no times; this needs a GPU\n", option);
    else if (missing)
        say(stderr, "--leaf %s: %s\n", leaf->name, missing);
    return backend.simulated || missing;
}
