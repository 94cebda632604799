/* SPDX-License-Identifier: MIT */
/** @file test_half.cu
 * Half precision: every conversion is rounded as the hardware does, arithmetic is rounded once,
 * and cublasGemmEx computes what its types say.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "check.h"
#include "simgpu.h"

/** Between two neighbouring halves the middle goes to the even one; a little more, or less, to
 * the nearer one. All of them, both signs. */
static void rounding()
{
    int wrong = 0;
    for (unsigned bits = 0; bits < 0x7c00; bits++)
        for (int sign = 0; sign < 2; sign++) {
            unsigned short low = (unsigned short)bits, high = (unsigned short)(bits + 1);
            float a = __half2float(__ushort_as_half(low));
            float b = high == 0x7c00 ? 65536.0f : __half2float(__ushort_as_half(high));
            float middle = a + (b - a) / 2, s = sign ? -1.0f : 1.0f;
            unsigned short flag = sign ? 0x8000 : 0;
            float below = nextafterf(middle, 0), above = nextafterf(middle, INFINITY);
            unsigned short even = bits & 1 ? high : low;
            wrong += __half_as_ushort(__float2half_rn(s * a)) != (low | flag);
            wrong += __half_as_ushort(__float2half_rn(s * middle)) != (even | flag);
            wrong += __half_as_ushort(__float2half_rn(s * below)) != (low | flag);
            wrong += __half_as_ushort(__float2half_rn(s * above)) != (high | flag);
            wrong += __half_as_ushort(__float2half_rz(s * above)) != (low | flag);
            wrong +=
                __half_as_ushort(__float2half_ru(s * below)) != ((sign ? low : high) | flag);
            wrong +=
                __half_as_ushort(__float2half_rd(s * above)) != ((sign ? high : low) | flag);
        }
    CHECK(wrong == 0);
    CHECK(__half_as_ushort(__float2half_rn(INFINITY)) == 0x7c00);
    CHECK(__half_as_ushort(__float2half_rn(-1e30f)) == 0xfc00);
    CHECK(__half_as_ushort(__float2half_rz(1e30f)) == 0x7bff);
    CHECK(__half_as_ushort(__float2half_rn(NAN)) == 0x7fff);
    CHECK(__half_as_ushort(__float2half_rn(1e-30f)) == 0);
    CHECK(__half_as_ushort(__float2half_ru(1e-30f)) == 1);
    CHECK(__half_as_ushort(__float2half_rn(-0.0f)) == 0x8000);
    CHECK(isnan(__half2float(__ushort_as_half(0x7e01))));
    /* Rounded once from double: through float it would become 1 + 2^-10. */
    CHECK(__half2float(__double2half(1 + 0x1p-11 - 0x1p-40)) == 1);
}

/** Conversions of both types in each direction, and what a kernel of a network computes. */
template <class H> static void functions(H from_middle, int of_even, double unit)
{
    H half = H(0.5f), nan = H(NAN), over = H(INFINITY);
    CHECK((float)from_middle == 1 + of_even * unit);
    CHECK((float)hexp(half) == (float)H(expf(0.5f)) &&
          (float)htanh(-half) == -(float)htanh(half));
    CHECK((float)hrcp(half) == 2 && (float)hrint(half) == 0 && (float)hceil(half) == 1);
    CHECK(__hisinf(-over) == -1);
    CHECK(__hisnan(__hmax_nan(half, nan)) && (float)__hmax(half, nan) == 0.5f);
    CHECK(!__heq(half, nan) && !__hne(half, nan) && half != nan);
}

static void other_types()
{
    functions(__float2half(1 + 0x1.8p-10f), 2, 0x1p-10);
    functions(__float2bfloat16(1 + 0x1.8p-7f), 2, 0x1p-7);
    CHECK(__bfloat162float(__float2bfloat16_rz(1.999f)) == 1.9921875f);
    CHECK(__bfloat162float(__float2bfloat16_ru(-1.999f)) == -1.9921875f);
    CHECK(__bfloat162float(__float2bfloat16_rd(-1.999f)) == -2);
    CHECK(__bfloat162float(__double2bfloat16(1 + 0x1p-8 + 0x1p-40)) == 1 + 0x1p-7f);
    CHECK(__bfloat162float(__float2bfloat16(3.4e38f)) == INFINITY);
    CHECK(__bfloat16_as_ushort(__float2bfloat16(NAN)) == 0x7fff);
    /* What is too large becomes the last integer, a NaN 0. */
    CHECK(__half2int_rz(__float2half(INFINITY)) == 0x7fffffff && __float2int_rn(NAN) == 0);
    CHECK(__half2short_rd(__float2half(-1e5f)) == -32768 && __float2uint_rz(-3) == 0);
    CHECK(__bfloat162ull_ru(__float2bfloat16(1e30f)) == ~0ull &&
          __float2ll_rn(-1e30f) < -(1ll << 62));
    __half2 pair = __floats2half2_rn(0.5f, -0.25f);
    __nv_bfloat162 other = __floats2bfloat162_rn(0.5f, -0.25f);
    CHECK(__low2float(h2exp2(pair + pair)) == 2 && __high2float(__habs2(other)) == 0.25f);
    CHECK(__high2float(__hgt2(pair, __hneg2(pair))) == 0 && other == -(-other));
}

static void arithmetic()
{
    __half one = __float2half(1.0f), tiny = __float2half(0x1p-11f);
    CHECK(__half2float(__hadd(one, tiny)) == 1.0f);
    CHECK(__half2float(one + one) == 2.0f);
    CHECK(__half2float(__hmul(__float2half(3.0f), __float2half(0.333251953125f))) == 1.0f);
    /* 1.0009765625 squared is 1 + 2^-9 + 2^-20: the fused form keeps the last term. */
    __half x = __float2half(1 + 0x1p-10f);
    CHECK(__half2float(__hfma(x, x, __float2half(-1 - 0x1p-9f))) == 0x1p-20f);
    CHECK(__half2float(__hsub(__hmul(x, x), __float2half(1 + 0x1p-9f))) == 0);
    __half2 pair = __floats2half2_rn(1.5f, -2.25f);
    CHECK(__low2float(pair) == 1.5f && __high2float(pair) == -2.25f);
    CHECK(__half22float2(__hfma2(pair, pair, __float2half2_rn(1))).y == 6.0625f);
    CHECK(__low2float(__lowhigh2highlow(pair)) == -2.25f);
    CHECK(__low2float(__halves2half2(one, tiny)) == 1 && sizeof(half2) == 4 &&
          sizeof(half) == 2);
    CHECK(__float22half2_rn(make_float2(1, 2)).y == __float2half(2.0f));
    CHECK(__hlt(tiny, one) && one > tiny && __hisnan(__float2half(NAN)));
}

enum { M = 7, N = 5, K = 9, LDA = 11, LDB = 12, LDC = 8 };

/** The float that A's element rounds to. */
typedef float rounding_of(float);
static float as_half(float v) { return __half2float(__float2half_rn(v)); }
static float as_tf32(float v)
{
    float scale = ldexpf(1, ilogbf(v) - 10); /* the distance of neighbours */
    return rintf(v / scale) * scale;
}
static float as_bfloat16(float v) { return __bfloat162float(__float2bfloat16_rn(v)); }
static float as_it_is(float v) { return v; }

/** C = 2 op(A) op(B) - C against sums in double. H: the type of 16 bits, whose `unit` is the
 * distance from 1 to the next number. */
template <class H = __half>
static void product(cublasHandle_t handle, cudaDataType type, cudaDataType c_type,
                    cublasComputeType_t compute, rounding_of *rounded, bool ta, bool tb,
                    double unit = 0x1p-10)
{
    float a[LDA * LDA], b[LDB * LDB], c[LDC * LDC], alpha = 2, beta = -1;
    H ha[LDA * LDA], hb[LDB * LDB], hc[LDC * LDC];
    for (int i = 0; i < LDA * LDA; i++)
        a[i] = (float)(rand() % 20000 - 9999) / 8192, ha[i] = H(a[i]);
    for (int i = 0; i < LDB * LDB; i++)
        b[i] = (float)(rand() % 20000 - 9999) / 8192, hb[i] = H(b[i]);
    for (int i = 0; i < LDC * LDC; i++)
        c[i] = (float)(i % 5), hc[i] = H(c[i]);
    bool half_in = type != CUDA_R_32F, half_out = c_type != CUDA_R_32F;
    device_array<float> da(a, LDA * LDA), db(b, LDB * LDB), dc(c, LDC * LDC);
    device_array<H> dha(ha, LDA * LDA), dhb(hb, LDB * LDB), dhc(hc, LDC * LDC);
    CHECK(cublasGemmEx(handle, ta ? CUBLAS_OP_T : CUBLAS_OP_N, tb ? CUBLAS_OP_T : CUBLAS_OP_N,
                       M, N, K, &alpha, half_in ? (void *)dha : da, type, LDA,
                       half_in ? (void *)dhb : db, type, LDB, &beta,
                       half_out ? (void *)dhc : dc, c_type, LDC, compute,
                       CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS);
    float out[LDC * LDC];
    H half_c[LDC * LDC];
    dc.download(out);
    dhc.download(half_c);
    int wrong = 0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++) {
            double sum = 0;
            for (int l = 0; l < K; l++)
                sum += (double)rounded(ta ? a[l + i * LDA] : a[i + l * LDA]) *
                       rounded(tb ? b[j + l * LDB] : b[l + j * LDB]);
            sum = 2 * sum - c[i + j * LDC];
            double got = half_out ? (float)half_c[i + j * LDC] : out[i + j * LDC];
            wrong += fabs(got - sum) > (half_out ? unit / 2 * (fabs(sum) + 0.2) : 4e-6);
        }
    CHECK(wrong == 0);
    /* The gaps between the columns belong to no matrix. */
    for (int j = 0; j < N; j++)
        CHECK(half_out ? (float)half_c[M + j * LDC] == (float)hc[M + j * LDC]
                       : out[M + j * LDC] == c[M + j * LDC]);
}

static void batches(cublasHandle_t handle)
{
    enum { n = 4, count = 3 };
    __half a[count * n * n];
    float c[count * n * n], one = 1, zero = 0;
    for (int i = 0; i < count * n * n; i++)
        a[i] = __float2half((float)(i % 7 - 3));
    device_array<__half> da(a, count * n * n);
    device_array<float> dc(count * n * n);
    cudaMemset(dc, 0, sizeof c);
    CHECK(cublasGemmStridedBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, da,
                                     CUDA_R_16F, n, n * n, da, CUDA_R_16F, n, n * n, &zero, dc,
                                     CUDA_R_32F, n, n * n, count, CUBLAS_COMPUTE_32F,
                                     CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS);
    dc.download(c);
    for (int b = 0; b < count; b++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                float sum = 0;
                for (int l = 0; l < n; l++)
                    sum += (float)a[b * n * n + i + l * n] * (float)a[b * n * n + j + l * n];
                CHECK(c[b * n * n + i + j * n] == sum);
            }
}

int main()
{
    rounding();
    arithmetic();
    other_types();
    cublasHandle_t handle;
    cublasCreate(&handle);
    for (int t = 0; t < 4; t++) {
        bool ta = t & 1, tb = t & 2;
        product(handle, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, as_half, ta, tb);
        product(handle, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, as_half, ta, tb);
        for (cudaDataType out : {CUDA_R_32F, CUDA_R_16BF})
            product<__nv_bfloat16>(handle, CUDA_R_16BF, out, CUBLAS_COMPUTE_32F, as_bfloat16,
                                   ta, tb, 0x1p-7);
        product(handle, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, as_it_is, ta, tb);
        product(handle, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_16F, as_half, ta, tb);
        product(handle, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, as_tf32, ta, tb);
        cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH);
        product(handle, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, as_tf32, ta, tb);
        cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH);
    }
    batches(handle);
    /* Seven addends of 1/2 keep all bits; their sum with 2^24 is cut off, to 2^24 + 2. */
    const float seven[] = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}, ones[] = {1, 1, 1, 1, 1, 1, 1};
    CHECK(simgpu::tensor_core_sum(0x1p24f, seven, ones, 7) == 0x1p24f + 2);
    const float infinite[] = {1, HUGE_VALF}, unknown[] = {1, NAN};
    CHECK(simgpu::tensor_core_sum(1, infinite, ones, 2) == HUGE_VALF);
    CHECK(isnan(simgpu::tensor_core_sum(1, unknown, ones, 2)));
    CHECK(simgpu::tensor_core_sum(0, seven, ones, 0) == 0);
    /* 1.5 * 1.5 has exponent 0, so that three bits of 2^-26 are kept below its 24. */
    const float large[] = {1.5f, 0x1p-12f}, small[] = {1.5f, 0x1p-13f};
    CHECK(simgpu::tensor_core_sum(0x1p-22f - 0x1p-25f, large, small, 2) == 2.25f + 0x1p-22f);
    CHECK(simgpu_fault_count() == 0);
    /* A product of other types is refused by name. */
    simgpu_set_fault_output(NULL);
    float one = 1;
    CHECK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, NULL, CUDA_R_16F, 1,
                       NULL, CUDA_R_32F, 1, &one, NULL, CUDA_R_32F, 1, CUBLAS_COMPUTE_32F,
                       CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_NOT_SUPPORTED);
    simgpu_fault refused;
    CHECK(simgpu_get_fault(0, &refused) && strstr(refused.text, "B of CUDA_R_32F"));
    simgpu_clear_faults();
    cublasDestroy(handle);
    printf("half precision: %s\n", failures ? "FAILED" : "right");
    return failures != 0;
}
