/**
 * @file document.h
 * The numbers of Fatahalian, Sugerman, Hanrahan (2004), Understanding the Efficiency of GPU
 * Algorithms for Matrix-Matrix Multiplication (2004), section 3.
 */
#ifndef LADDER_DOCUMENT_H
#define LADDER_DOCUMENT_H

/** A row of Table 2: what a card can do. GB are of 2^30 bytes. */
struct document_card {
    const char *name;
    double gflops;        /**< peak */
    double cached_gb_s;   /**< cache hits */
    double sequential_gb_s; /**< each texel once; 0: not told */
};

enum { NV_5900, NV_6800, ATI_9800, ATI_X800, DOCUMENT_CARDS, PENTIUM_4 = DOCUMENT_CARDS };
static const struct document_card document_cards[] = {
    {"NV 5900", 40.0, 11.4, 4.1},
    {"NV 6800", 43.9, 18.3, 3.8},
    {"ATI 9800", 26.1, 12.2, 7.3},
    {"ATI X800", 63.7, 28.4, 15.6},
    {"Pentium 4", 12.0, 44.7, 0}, /* not in the table: the text's peak and first-level cache */
};

/** A row of Table 1: products of 1024 x 1024 matrices. */
struct document_product {
    const char *name;
    int card; /**< in document_cards */
    double seconds, gflops, gb_s;
};
static const struct document_product document_products[] = {
    {"NV 5900 Single", NV_5900, 0.781, 2.75, 7.22},
    {"NV 5900 Multi", NV_5900, 0.713, 3.01, 9.07},
    {"NV 6800 Single", NV_6800, 0.283, 7.59, 15.36},
    {"NV 6800 Multi", NV_6800, 0.469, 4.58, 12.79},
    {"ATI 9800 Multi", ATI_9800, 0.445, 4.83, 12.06},
    {"ATI X800 Multi", ATI_X800, 0.188, 11.4, 27.5},
    {"P4 ATLAS", PENTIUM_4, 0.289, 7.78, 27.68},
    {0},
};

/** The clock of the 6800 Ultra in MHz, from which the document computes 16 mads (of four
 *  components) and 16 floats a clock. */
static const double document_6800_mhz = 350;

#endif
