/* SPDX-License-Identifier: MIT */
/** @file own.cuh
 * Winograd's variant with its last levels in panels, over the hand-written leaf.
 */
#ifndef STEPS_19_OWN_LEAF_OWN_CUH
#define STEPS_19_OWN_LEAF_OWN_CUH

#include "leaf.cuh"
#include "steps/18-modern/modern.cuh"

/** The most levels that are done in panels; these are the last ones. */
enum { OWN = 0, BATCHED = 1, TWO_LEVELS = 2 };

static inline int last_levels(int levels, int most) { return levels < most ? levels : most; }

/* Panels for the factors of m x n x k products in `last` levels, and memory for
   the products. */
static inline struct panels left_panels(long m, long k, int last)
{
#ifdef LADDER_F32
    return panels_for(m, k, products_of(last));
#else
    return panels_for(k, m, products_of(last)); /* in rows, like the right factors */
#endif
}

static inline struct panels right_panels(long n, long k, int last)
{
    return panels_for(n, k, products_of(last));
}

/* Elements for one problem of the last levels of `levels`. */
static inline size_t last_elements(struct product p, int levels, int last)
{
    long m = p.c.rows >> levels, n = p.c.cols >> levels, k = p.a.cols >> levels;
    size_t products = last ? (size_t)products_of(last) * m * n : 0;
    return panel_elements(left_panels(m, k, last)) + panel_elements(right_panels(n, k, last)) +
           products;
}

template <class method = winograd_method>
static inline size_t in_panels_elements(struct product p, int levels, int most)
{
    int last = last_levels(levels, most);
    return last_elements(p, levels, last) +
           levels_elements<method::elements>(p, levels - last, 1);
}

/// [in panels]
/* A problem of the last levels: its factors in panels, and where its products go. */
struct last {
    struct panels left, right;
    real *products;
    struct block c;
};

template <class method = winograd_method>
static inline struct last begin_last_levels(const struct context *ctx, struct product whole,
                                            int levels, real *workspace)
{
    struct last last;
    long m = whole.c.rows >> levels, n = whole.c.cols >> levels, k = whole.a.cols >> levels;
    last.left = left_panels(m, k, levels), last.right = right_panels(n, k, levels);
    last.c = whole.c;
    last.left.at = workspace;
    last.right.at = last.left.at + panel_elements(last.left);
    last.products = last.right.at + panel_elements(last.right);
    pack<method>(ctx, whole.a, last.left, whole.b, last.right, levels);
    return last;
}

/* Multiplies all its products in one launch. Without levels the only product is C itself. */
static inline void multiply_last_levels(const struct context *ctx, const struct last *last,
                                        int levels)
{
    struct block C = last->c;
    C.rows >>= levels, C.cols >>= levels;
    if (levels)
        C.at = last->products, C.ld = C.cols;
    multiply_panels(ctx, last->left, last->right, C, C.rows * C.cols, products_of(levels));
}

template <class method = winograd_method>
static inline void end_last_levels(const struct context *ctx, const struct last *last,
                                   int levels)
{
    if (levels)
        combine_all<method>(ctx, last->products, last->c, levels);
}

/* Winograd with the last `most` levels in panels, one after another. */
template <class method = winograd_method>
static inline void in_panels(const struct context *ctx, struct product p, int levels, int most,
                             real *workspace)
{
    if (levels <= most) {
        struct last last = begin_last_levels<method>(ctx, p, levels, workspace);
        multiply_last_levels(ctx, &last, levels);
        end_last_levels<method>(ctx, &last, levels);
        return;
    }
    typename method::level level = method::plan(p, &workspace);
    method::begin(ctx, &level);
    method::sum(ctx, &level);
    for (int i = 0; i < PRODUCTS; i++)
        in_panels<method>(ctx, level.products[i], levels - 1, most, workspace);
    method::combine(ctx, &level);
}
/// [in panels]

/** The leaf alone: no levels, whatever is asked. */
static inline void own(const struct context *ctx, struct product p, int, real *workspace)
{
    in_panels(ctx, p, 0, OWN, workspace);
}
static inline size_t workspace_own(const struct context *, struct product p, int)
{
    return in_panels_elements(p, 0, OWN);
}

/** The last level's seven products in one launch. */
template <class method = winograd_method>
static inline void batched(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    in_panels<method>(ctx, p, levels, BATCHED, workspace);
}
template <class method = winograd_method>
static inline size_t workspace_batched(const struct context *, struct product p, int levels)
{
    return in_panels_elements<method>(p, levels, BATCHED);
}

/** The last two levels' 49 products in one launch. */
template <class method = winograd_method>
static inline void two_levels(const struct context *ctx, struct product p, int levels,
                              real *workspace)
{
    in_panels<method>(ctx, p, levels, TWO_LEVELS, workspace);
}
template <class method = winograd_method>
static inline size_t workspace_two_levels(const struct context *, struct product p, int levels)
{
    return in_panels_elements<method>(p, levels, TWO_LEVELS);
}

#endif
