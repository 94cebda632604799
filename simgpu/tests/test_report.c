/* SPDX-License-Identifier: MIT */
/** @file test_report.c
 * The report for each source line, and the addresses of one half-warp, of kernels whose counts
 * and addresses are known.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime.h>
#include "matmul.h"
#include "simgpu.h"

static int failures;
static char text[1 << 20];

#define EXPECT(what)                                                                           \
    do {                                                                                       \
        if (!strstr(text, what)) {                                                             \
            printf("%s:%d: not found: %s\n%s\n", __FILE__, __LINE__, what, text);              \
            failures++;                                                                        \
        }                                                                                      \
    } while (0)

static void read_back(FILE *file)
{
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
}

static void report(void)
{
    FILE *file = tmpfile();
    simgpu_report(file);
    read_back(file);
}

/** The first line of the source that holds `what`. */
static int line_of(const char *source, const char *what)
{
    char line[1000];
    FILE *file = fopen(source, "r");
    for (int number = 1; file && fgets(line, sizeof line, file); number++)
        if (strstr(line, what)) {
            fclose(file);
            return number;
        }
    printf("%s: \"%s\" is not in it\n", source, what);
    exit(2);
}

static void expect(const char *what, int holds)
{
    if (!holds)
        printf("wrong: %s\n", what);
    failures += !holds;
}

int main(int argc, char **argv)
{
    enum { n = 64 };
    if (argc != 2)
        return 2;
    int load = line_of(argv[1], "sum += a[row * n + k] * b[k * n + col];");
    int store = line_of(argv[1], "c[row * n + col] = sum;");
    char expected[1000];
    float *a, *b, *c;
    cudaMalloc(&a, 4 * n * n * sizeof *a);
    cudaMalloc(&b, 4 * n * n * sizeof *b);
    cudaMalloc(&c, 4 * n * n * sizeof *c);
    cudaMemset(a, 0, 4 * n * n * sizeof *a);
    cudaMemset(b, 0, 4 * n * n * sizeof *b);
    report();
    EXPECT("No accesses were counted.");

    /* Half-warp 3 of block 2: row 3 of the block, columns 32 to 47 of the matrix. */
    simgpu_capture(2, 3);
    simgpu_count_start();
    naive(a, b, c, n);
    simgpu_count_stop();
    simgpu_capture_stop();
    report();
    fputs(text, stdout);
    /* n requests for A and for B of each of n*n/16 half-warps; 32 and 64 bytes; 4 and 64 of
     * use. */
    snprintf(expected, sizeof expected,
             "matmul.cu:%d  load   %9d %12d   1.0 %11d   70.8%%  sum += a[row * n + k]", load,
             2 * n * n * n / 16, 2 * n * n * n / 16, 6 * n * n * n);
    EXPECT(expected);
    snprintf(expected, sizeof expected,
             "matmul.cu:%d  store  %9d %12d   1.0 %11d  100.0%%  c[row * n + col] = sum;\n",
             store, n * n / 16, n * n / 16, 4 * n * n);
    EXPECT(expected);
    EXPECT("half-warps, segments of 128 bytes narrowed to 64 or 32");

    FILE *file = tmpfile();
    int written = simgpu_capture_write(file, "matmul.cu", load, 0);
    int stored = simgpu_capture_write(file, "matmul.cu", store, 0);
    int limited = simgpu_capture_write(file, NULL, 0, 1);
    read_back(file);
    if (written != 2 * n || stored != 1 || limited != 3) {
        printf("captured %d, %d and %d requests\n", written, stored, limited);
        failures++;
    }
    /* The store: row 3, columns 32 to 47 of the third allocation. */
    snprintf(expected, sizeof expected,
             "\"line\":%d,\"site\":0,\"space\":\"global\",\"op\":\"store\",\"kernel\":\"naive_"
             "kernel\",\"launch\":1,\"occurrence\":0,\"size\":4,\"transactions\":1,\"bytes\":"
             "64,\"segments\":[[896,64]],\"lanes\":[[16,3,896],[17,3,900],",
             store);
    EXPECT(expected);
    /* The broadcast of A, k = 1. */
    EXPECT("\"occurrence\":1,\"size\":4,\"transactions\":1,\"bytes\":32,\"segments\":[[768,32]]"
           ",\"lanes\":[[16,1,772],[17,1,772],");

    file = tmpfile();
    int none = simgpu_picture(file, "other.cu", load), drawn;
    drawn = simgpu_picture(file, "matmul.cu", load);
    read_back(file);
    expect("two loads are drawn", drawn == 2 && none == 0);
    EXPECT("kernel naive_kernel, half-warp 3 of block (2,0,0), rules of the C1060");
    EXPECT("global load from an array of 65536 bytes: 16 threads, 4 bytes each; 1 transaction");
    EXPECT(">byte 768<"); /* row 3 of A, of which all threads read one word: */
    EXPECT(">×16<");
    EXPECT(">byte 128<"); /* columns 32 to 47 of B, one for each thread: */
    EXPECT(">16</text>");
    EXPECT(">31</text>");
    EXPECT(">request 16<");
    /* All half-warps: a column is 8 rows of A, each read by the 4 half-warps of its elements of
       C, and a row of the picture is 2 of the 64 times. */
    EXPECT("All half-warps of the launch over an array of 65536 bytes");
    EXPECT("<title>bytes 2048 to 4095: 64 requests; first thread 128 of block 0, ");
    EXPECT("data-threads=\"128\" data-block=\"0\"");

    simgpu_count_reset();
    simgpu_count_start();
    tiled(a, b, c, n);
    simgpu_count_stop();
    report();
    EXPECT("Shared memory, 16 banks");
    EXPECT("1.00x");
    simgpu_count_reset();
    report();
    EXPECT("No accesses were counted.");

    /* Shared arrays at the first barrier, of the first launch that has some in that file. */
    struct simgpu_kept_shared kept, second;
    static float ones[n * n];
    for (int i = 0; i < n * n; i++)
        ones[i] = (float)i;
    cudaMemcpy(a, ones, sizeof ones, cudaMemcpyHostToDevice);
    simgpu_keep_shared("other.cu", 0, 0);
    tiled(a, b, c, n);
    expect("an array of another file is kept", !simgpu_get_kept_shared(0, &kept));
    simgpu_keep_shared("matmul.cu", 0, 0);
    naive(a, b, c, n);
    tiled(a, b, c, n);
    padded(a, c, n);
    expect("not two arrays", simgpu_get_kept_shared(1, &second) &&
                                 !simgpu_get_kept_shared(2, &second) &&
                                 simgpu_get_kept_shared(0, &kept));
    expect("not a 16 x 16 array `as`",
           strcmp(kept.name, "as") == 0 && strcmp(second.name, "bs") == 0 &&
               kept.element == 4 && kept.row == 64 && kept.size == 1024 && kept.barrier > 0);
    expect("as[2][3] is not a[2][3]", ((const float *)kept.bytes)[2 * 16 + 3] == 2 * n + 3);
    simgpu_keep_shared("matmul.cu", 1, 2);
    tiled(a, b, c, n);
    expect("as[2][3] of block (1,2) is not a[34][3]",
           simgpu_get_kept_shared(0, &kept) &&
               ((const float *)kept.bytes)[2 * 16 + 3] == 34 * n + 3);
    simgpu_keep_shared("matmul.cu", 4, 0);
    tiled(a, b, c, n);
    expect("a block that is not there is kept", !simgpu_get_kept_shared(0, &kept));
    simgpu_keep_shared("matmul.cu", 0, 0);
    padded(a, c, n);
    expect("not an array of 68 columns", simgpu_get_kept_shared(0, &kept) &&
                                             kept.row == 68 * sizeof(float) &&
                                             kept.size == 16 * kept.row);
    const unsigned char *bytes = kept.bytes;
    expect("the 65th column was written", bytes[64 * 4] == 0xff && bytes[kept.row - 1] == 0xff);
    simgpu_keep_shared(NULL, 0, 0);
    expect("something is still kept", !simgpu_get_kept_shared(0, &kept));
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    printf("%s\n", failures ? "FAILED" : "the report is right");
    return failures != 0;
}
