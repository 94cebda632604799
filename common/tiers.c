#include "tiers.h"

#include <math.h>
#include <stdio.h>

#include "depth.h"
#include "random.h"
#include "sizes.h"

/* What m, n and k must be multiples of. */
static long multiple_of(const struct variant *v, int levels)
{
    return v->shapes.multiple ? v->shapes.multiple << levels : 1;
}

bool shape_is_promised(const struct options *o, const struct result *r, char *why, size_t size)
{
    const struct variant *v = r->variant;
    long multiple = multiple_of(v, r->levels);
    if (v->shapes.square && !(o->m == o->n && o->n == o->k)) {
        snprintf(why, size, "%s takes square matrices only: give --n alone", v->name);
        return false;
    }
    if (o->m % multiple || o->n % multiple || o->k % multiple) {
        snprintf(why, size, "%s takes multiples of %ld only (with %d level%s)", v->name, multiple,
                 r->levels, r->levels == 1 ? "" : "s");
        return false;
    }
    return true;
}

/* An odd size from `least` to least + 24, which goes with the seed. Sizes whose `least` differ by less
   than 6 are different. */
static long odd_size(const struct options *o, long least)
{
    return least + 6 * (long)(random_bits((uint64_t)o->seed * RANDOM_STEP + (uint64_t)least) % 5);
}

/* The options for the small product. */
static struct options small_options(const struct trial *asked, const struct variant *v)
{
    struct options o = *asked->options;
    bool recursive = o.step->leaves != NULL;
    o.levels = recursive ? smaller(depth_of(&o).levels, 2) : -1; /* more would pad it to a large one */
    o.tau1 = o.tau2 = 0;
    long multiple = multiple_of(v, v->levels ? 2 : recursive ? (int)o.levels : 0);
    o.m = round_up(odd_size(&o, 17), multiple);
    o.n = v->shapes.square ? o.m : round_up(odd_size(&o, 19), multiple);
    o.k = v->shapes.square ? o.m : round_up(odd_size(&o, 21), multiple);
    o.ld_extra += 3;
    o.seed++;
    o.input = o.precision == PRECISION_I32 ? INPUT_INTEGERS : INPUT_UNIFORM;
    return o;
}

/* Runs and judges a described variant on a trial whose inputs are there; false: no memory. */
static bool run_and_judge(struct trial *trial, struct result *tried, const char *when)
{
    if (!reference_create(&trial->reference, &trial->a, &trial->b))
        return false;
    struct tolerance tolerance = trial_tolerance(trial, tried, trial->options->input);
    tried->verdict =
        isinf(trial_run(trial, tried)) ? trial_lost() : trial_judge(trial, &tolerance, when);
    return true;
}

bool tier_other_shape(const struct trial *asked, struct result *r)
{
    struct options o = small_options(asked, r->variant);
    struct trial small = {.options = &o, .traced = asked->traced};
    struct result tried;
    char when[128];
    trial_describe(&small, &tried, r->variant);
    snprintf(when, sizeof when,
             "with m, n, k = %ld, %ld, %ld and leading dimensions longer by %ld: ", o.m, o.n, o.k,
             o.ld_extra);
    bool enough = trial_create(&small) &&
                  workspace_create(&small.workspace, o.precision, tried.workspace_bytes);
    if (enough) {
        trial_fill(&small, o.input,
                   integer_magnitude(r->variant->bound, tried.levels, o.k, o.precision));
        enough = run_and_judge(&small, &tried, when);
    }
    if (enough && !tried.verdict.passed)
        r->verdict = tried.verdict;
    trial_destroy(&small);
    return enough;
}
