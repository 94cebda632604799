/* SPDX-License-Identifier: MIT */
/** @file make_sums.c
 * Prints dps_sums.cuh: the sums of a table as straight code. A sum of two terms that several
 * sums contain, up to a factor, is made once: the most frequent pair first, until no pair is
 * left that occurs twice.
 */
#include <math.h>
#include <stdio.h>

#include "common/scheme.h"

/// [greedy]
enum { MOST_SUMS = 16, MOST_TERMS = 32 };

/* Each sum has a coefficient for every term. The first terms are the inputs, the others pairs
   of earlier terms. */
struct sums {
    int sums, inputs, terms;
    double times[MOST_SUMS][MOST_TERMS];
    struct pair {
        int first, second;
        double ratio; /* first + ratio * second */
    } made[MOST_TERMS];
};

/* Counts the sums in which the pair occurs. With `replace`, the pair becomes a term of them. */
static int count_pair(struct sums *s, struct pair pair, int replace)
{
    int count = 0;
    for (int i = 0; i < s->sums; i++) {
        double *x = s->times[i];
        if (x[pair.first] == 0 || x[pair.second] != pair.ratio * x[pair.first])
            continue;
        count++;
        if (replace) {
            x[s->terms] = x[pair.first];
            x[pair.first] = x[pair.second] = 0;
        }
    }
    return count;
}

/* Makes the most frequent pair a term. Returns 0 if no pair occurs twice. */
static int make_pair(struct sums *s)
{
    struct pair best = {0, 0, 0};
    int most = 1;
    for (int i = 0; i < s->sums; i++)
        for (int x = 0; x < s->terms; x++)
            for (int y = x + 1; y < s->terms; y++) {
                if (s->times[i][x] == 0 || s->times[i][y] == 0)
                    continue;
                struct pair pair = {x, y, s->times[i][y] / s->times[i][x]};
                int count = count_pair(s, pair, 0);
                if (count > most)
                    most = count, best = pair;
            }
    if (most < 2 || s->terms == MOST_TERMS)
        return 0;
    count_pair(s, best, 1);
    s->made[s->terms++] = best;
    return 1;
}
/// [greedy]

static void print_term(const struct sums *s, int term, double times)
{
    if (times != 1)
        printf("times(%g, ", times);
    printf(term < s->inputs ? "x[%d]" : "t%d", term < s->inputs ? term : term - s->inputs);
    if (times != 1)
        printf(")");
}

/* minus(plus(x[0], times(0.5, x[1])), x[2]): the terms in their order, but one with a positive
   coefficient first, if there is one. */
static void print_sum(const struct sums *s, const double times[MOST_TERMS])
{
    int first = -1;
    for (int x = s->terms - 1; x >= 0; x--)
        if (times[x] != 0 && (first < 0 || times[x] > 0 || times[first] < 0))
            first = x;
    for (int x = s->terms - 1; x >= 0; x--)
        if (times[x] != 0 && x != first)
            printf(times[x] > 0 ? "plus(" : "minus(");
    print_term(s, first, times[first]);
    for (int x = 0; x < s->terms; x++)
        if (times[x] != 0 && x != first) {
            printf(", ");
            print_term(s, x, fabs(times[x]));
            printf(")");
        }
}

static void print_function(const char *name, const char *comment, struct sums *s)
{
    s->terms = s->inputs;
    while (make_pair(s)) {
    }
    printf("/** %s */\ntemplate <class vector>\n"
           "static __device__ __forceinline__ void %s(const vector *x, vector *y)\n{\n",
           comment, name);
    for (int t = s->inputs; t < s->terms; t++) {
        double times[MOST_TERMS] = {0};
        times[s->made[t].first] = 1, times[s->made[t].second] = s->made[t].ratio;
        printf("    const vector t%d = ", t - s->inputs);
        print_sum(s, times);
        printf(";\n");
    }
    for (int i = 0; i < s->sums; i++) {
        printf("    y[%d] = ", i);
        print_sum(s, s->times[i]);
        printf(";\n");
    }
    printf("}\n\n");
}

int main(void)
{
    const struct scheme *table = &dps_scheme;
    struct sums a = {.sums = table->products, .inputs = 4}, b = a,
                c = {.sums = 4, .inputs = table->products};
    for (int p = 0; p < table->products; p++)
        for (int q = 0; q < 4; q++) {
            a.times[p][q] = table->product[p].a[q];
            b.times[p][q] = table->product[p].b[q];
            c.times[q][p] = table->product[p].c[q];
        }
    puts("/* SPDX-License-Identifier: MIT */\n"
         "/** @file dps_sums.cuh\n"
         " * The sums of a level with the table of Dumas, Pernet and Sedoglavic, written by\n"
         " * make_sums.c.\n"
         " */\n"
         "#ifndef STEPS_24_ACCURATE_DPS_SUMS_CUH\n"
         "#define STEPS_24_ACCURATE_DPS_SUMS_CUH\n\n"
         "#include \"vectors.cuh\"\n\n"
         "// clang-format off\n"
         "/// [sums]");
    print_function("dps_left", "The seven left factors from A's quadrants 11, 12, 21, 22.", &a);
    print_function("dps_right", "The seven right factors from B's.", &b);
    print_function("dps_results", "C's quadrants from the seven products.", &c);
    puts("/// [sums]\n// clang-format on\n\n#endif");
    return 0;
}
