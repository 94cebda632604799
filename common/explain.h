/**
 * @file explain.h
 * From wrong values to the mistake behind them: what a wrong product looks like when k ends too
 * soon, an operand is taken transposed, one of Strassen's products is wrong.
 */
#ifndef LADDER_EXPLAIN_H
#define LADDER_EXPLAIN_H

#include <stddef.h>

#include "verify.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Writes sentences, each after a blank, on what the wrong elements of C have in common; nothing if
 * there is nothing. Elements that are NaN count as never written. Values are explained where the
 * inputs are integers and every sum is exact (`tolerance->exact`).
 */
void explain(char *text, size_t size, const struct matrix *c, const struct matrix *a,
             const struct matrix *b, const struct reference *reference,
             const struct tolerance *tolerance);

#ifdef __cplusplus
}
#endif
#endif
