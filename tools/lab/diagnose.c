/* SPDX-License-Identifier: MIT */
#include "diagnose.h"

#include <math.h>
#include <string.h>

#include "common/check/trial.h"

/* How one run differs from a check's. */
struct circumstances {
    bool zero_c;      /* C arrives as zeros */
    bool zero_guards; /* what stands around A and B is 0 */
    bool zero_workspace;
    bool no_gaps; /* rows follow one another */
};

/* What one run left in C. */
struct outcome_of_run {
    bool right, nan, all_nan, all_zero;
};

static void clear_guards(struct matrix *x) { memset(x->host_block, 0, x->bytes); }

static struct outcome_of_run look(const struct trial *t)
{
    struct outcome_of_run found = {true, false, true, true};
    for (long i = 0; i < t->c.rows; i++)
        for (long j = 0; j < t->c.cols; j++) {
            double got = matrix_get(&t->c, i, j);
            found.right = found.right && got == t->reference.product[i * t->c.cols + j];
            found.nan = found.nan || isnan(got);
            found.all_nan = found.all_nan && isnan(got);
            found.all_zero = found.all_zero && got == 0;
        }
    return found;
}

/* Runs `yours` once. false: no memory. */
static bool try_it(const struct options *asked, struct circumstances how,
                   struct outcome_of_run *found)
{
    struct options o = *asked;
    struct trial t = {.options = &o};
    struct result r;
    o.ld_extra = how.no_gaps ? 0 : o.ld_extra;
    trial_describe(&t, &r, find_variant(o.step->variants, "yours"));
    bool enough =
        trial_create(&t) && workspace_create(&t.workspace, o.precision, r.workspace_bytes);
    if (enough) {
        if (how.zero_guards) {
            clear_guards(&t.a);
            clear_guards(&t.b);
        }
        trial_fill(&t, INPUT_INTEGERS, 2);
        enough = reference_create(&t.reference, &t.a, &t.b);
    }
    if (enough) {
        struct context x = trial_context(&t);
        matrix_poison(&t.c);
        for (long i = 0; i < t.c.rows && how.zero_c; i++)
            for (long j = 0; j < t.c.cols; j++)
                matrix_set(&t.c, i, j, 0);
        if (t.workspace.start) {
            workspace_poison(&t.workspace);
            if (how.zero_workspace)
                memset(t.workspace.start, 0, r.workspace_bytes);
        }
        r.variant->multiply(&x, trial_product(&t, &t.c), r.levels, t.workspace.start);
        *found = look(&t);
    }
    trial_destroy(&t);
    return enough;
}

const char *diagnose_nan(const struct options *o)
{
    struct outcome_of_run plain, other;
    if (!backend.shares_host_memory || !try_it(o, (struct circumstances){0}, &plain) ||
        !plain.nan)
        return NULL;
    if (try_it(o, (struct circumstances){.zero_c = true}, &other)) {
        if (other.right)
            return "not-cleared";
        if (plain.all_nan && other.all_zero)
            return "never-written";
    }
    if (o->ld_extra > 0 && try_it(o, (struct circumstances){.no_gaps = true}, &other) &&
        other.right)
        return "leading-dimension";
    if (try_it(o, (struct circumstances){.zero_guards = true}, &other) && !other.nan)
        return "beyond";
    if (try_it(o, (struct circumstances){.zero_workspace = true}, &other) && !other.nan)
        return "workspace";
    return plain.all_nan ? NULL : "part";
}
