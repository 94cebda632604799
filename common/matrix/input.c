/* SPDX-License-Identifier: MIT */
#include "common/matrix/input.h"

#include <math.h>

#include "common/device/backend.h"
#include "common/matrix/random.h"
#include "common/scheme.h"
#include "common/sizes.h"

const char *const input_names[INPUTS] = {"uniform",  "integers", "positive",
                                         "scaled",   "kaporin",  "kaporin-f32",
                                         "identity", "zeros",    "file:A,B"};

bool input_is_kaporin(enum input input)
{
    return input == INPUT_KAPORIN || input == INPUT_KAPORIN_F32;
}

bool input_has_seed(enum input input)
{
    return !input_is_kaporin(input) && input != INPUT_ZEROS && input != INPUT_FILE;
}

static uint64_t bits_at(uint64_t seed, enum operand operand, long i, long j)
{
    return random_at(seed, (uint64_t)operand, i, j);
}

static double uniform_at(uint64_t seed, enum operand operand, long i, long j)
{
    return random_uniform(bits_at(seed, operand, i, j));
}

/* A = I + u v^T; B = I - u v^T / (1 + v^T u); u_i = 1 / (N + 1 - i), v_i = sqrt(i), from 1. */
static double kaporin_at(enum operand operand, long n, double vu, long i, long j)
{
    double uv = sqrt((double)(j + 1)) / (double)(n - i);
    return (i == j) + (operand == OPERAND_A ? uv : -uv / (1 + vu));
}

static double kaporin_vu(long n)
{
    double sum = 0;
    for (long i = 1; i <= n; i++)
        sum += sqrt((double)i) / (double)(n + 1 - i);
    return sum;
}

/* `volatile` prevents the compiler from fusing a product and a sum into one operation, which
   rounds once instead of twice. */
static float rounded(volatile float x) { return x; }

/* Kaporin's formula as Li et al. (2011) must have computed it: in single precision, rounded
   after each operation. It reproduces their Figures 30 and 31. */
static float kaporin_f32_at(enum operand operand, long n, float vu, long i, long j)
{
    float u = rounded(1 / (float)(n - i)), v = rounded(sqrtf((float)(j + 1)));
    float uv = rounded(u * v);
    if (operand == OPERAND_A)
        return (float)(i == j) + uv;
    return (float)(i == j) - rounded(rounded(1 / rounded(1 + vu)) * uv);
}

static float kaporin_f32_vu(long n)
{
    float sum = 0;
    for (long i = 1; i <= n; i++)
        sum += rounded(rounded(sqrtf((float)i)) * rounded(1 / (float)(n + 1 - i)));
    return sum;
}

/* Powers of two from 2^10 down to 2^-10 over l = 0 ... k - 1, and their inverses. */
static double scale_at(enum operand operand, long l, long k)
{
    int power = k > 1 ? (int)(10 - 20 * l / (k - 1)) : 0;
    return ldexp(1, operand == OPERAND_A ? power : -power);
}

/* The matrix is rows x cols; `vu` is Kaporin's v^T u. */
static double element(enum input input, enum operand operand, uint64_t seed, int magnitude,
                      long rows, long cols, double vu, bool integer, long i, long j)
{
    if (input == INPUT_IDENTITY && operand == OPERAND_A)
        return i == j;
    if (input == INPUT_INTEGERS || (input == INPUT_IDENTITY && integer))
        return (double)(bits_at(seed, operand, i, j) % (uint64_t)(2 * magnitude + 1)) -
               magnitude;
    switch (input) {
    case INPUT_KAPORIN:
        return kaporin_at(operand, rows, vu, i, j);
    case INPUT_KAPORIN_F32:
        return (double)kaporin_f32_at(operand, rows, (float)vu, i, j);
    case INPUT_POSITIVE:
        return (uniform_at(seed, operand, i, j) + 1) / 2;
    case INPUT_SCALED:
        return uniform_at(seed, operand, i, j) *
               (operand == OPERAND_A ? scale_at(operand, j, cols) : scale_at(operand, i, rows));
    case INPUT_ZEROS:
        return 0;
    default:
        return uniform_at(seed, operand, i, j);
    }
}

double input_element(enum input input, enum operand operand, uint64_t seed, int magnitude,
                     long rows, long cols, long i, long j)
{
    return element(input, operand, seed, magnitude, rows, cols, 0, false, i, j);
}

void input_fill(struct matrix *matrix, enum input input, enum operand operand, uint64_t seed,
                int magnitude)
{
    bool integer = matrix->precision == PRECISION_I32;
    double vu = input == INPUT_KAPORIN       ? kaporin_vu(matrix->rows)
                : input == INPUT_KAPORIN_F32 ? (double)kaporin_f32_vu(matrix->rows)
                                             : 0;
#pragma omp parallel for if (!backend.shares_host_memory)
    for (long i = 0; i < matrix->rows; i++)
        for (long j = 0; j < matrix->cols; j++)
            matrix_set(matrix, i, j,
                       element(input, operand, seed, magnitude, matrix->rows, matrix->cols, vu,
                               integer, i, j));
}

/* How many times larger than a product's terms intermediate numbers may be, in units of their
   last digit. Consider a sum of C with `above` levels above it. Its factors have grown at each
   of these levels. Its digits come from the factors of all levels, and from the results of this
   level and the levels below it. */
static double growth_of_integers(const struct scheme *scheme, int levels)
{
    struct scheme_bits bits = scheme_bits(scheme);
    double growth = 0;
    for (int above = 0; above < levels; above++) {
        double factors = pow(scheme_largest_factor(scheme) / scheme->k, above);
        int digits = bits.factors * levels + bits.results * (levels - above);
        if (scheme->basis) /* the sums of C in blocks come last, those of all levels together */
            factors = pow(scheme_growth(scheme) / scheme->k, above),
            digits += bits.results * above;
        growth = fmax(growth, ldexp(factors * scheme_growth(scheme) / scheme->k, digits));
    }
    return growth;
}

int integer_magnitude(const struct scheme *scheme, int levels, long k, enum precision precision)
{
    double room = precision == PRECISION_F64   ? 0x1p53
                  : precision == PRECISION_F32 ? 0x1p24
                                               : 0x1p31;
    double growth = scheme && levels ? growth_of_integers(scheme, levels) : 1;
    int r = 8;
    while (r > 0 && growth * (double)k * r * r >= room)
        r--;
    return r;
}
