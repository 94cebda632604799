/* SPDX-License-Identifier: MIT */
/** @file gemm-cases.c
 * ladder_gemm.h against a triple loop in double, on small integers, so that every result is
 * exact. One case per run: gemm-cases NAME.
 */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "product.h"

static ladder_gemm_t gemm;

static struct call_data box(int m, int n, int k) { return call_of(m, n, k, 0, 1, 0); }

static struct call_data square(int n) { return box(n, n, n); }

/* As check(); `measured`: whether its plan must be found first. */
static void check_plan(struct call_data s, bool measured, const char *what)
{
    check(gemm, s, what);
    EXPECT(ladder_gemm_last(gemm).measured == measured, "%s: measured %d", what, !measured);
}

/* ---- The cases ---- */

/* Each kind of call by each method: all forms of A and B, alpha and beta, leading dimensions,
 * pointers off their alignment, row-major, double, and NaN in a C that is not read, on even and
 * odd edges. Each of these changes at another rate, so that each pair of them meets. The
 * methods share them, if it is every third. */
static void forms_of(int every)
{
    static const int edges[][3] = {{64, 128, 192}, {37, 50, 71}, {64, 32, 96}, {33, 64, 100}};
    static const float factors[] = {1, 0, -1, 2.5f};
    for (int v = 0; v < EVERY; v++) {
        force_method(gemm, v);
        for (int i = v % every; i < 84; i += every) {
            const int *edge = edges[i % 4];
            struct call_data s = box(edge[0], edge[1], edge[2]);
            s.ta = (cublasOperation_t)(i / 3 % 3), s.tb = (cublasOperation_t)(i % 3);
            s.alpha = factors[i / 9 % 4], s.beta = factors[i / 5 % 4];
            s.extra = i % 7 % 6, s.shift = i / 6 % 4, s.rows = i / 5 % 3 == 1;
            s.k = i % 13 == 6 ? 0 : s.k, s.wide = i % 11 % 3 == 2;
            check(gemm, s, "forms");
        }
    }
}

static void forms(void) { forms_of(3); }
static void all_forms(void) { forms_of(1); }

/* What is left in the workspace must not reach the edges of a later product. */
static void after_nan(int v)
{
    static const int edges[][3] = {
        {61, 61, 61}, {64, 64, 57}, {64, 57, 64}, {57, 64, 64}, {33, 47, 21}};
    force_method(gemm, v);
    for (int i = 0; i < 5; i++) {
        check_call(gemm, square(67), NULL, "NaN");
        check(gemm, box(edges[i][0], edges[i][1], edges[i][2]), "after NaN");
    }
}

static void sizes(void)
{
    for (int v = 0; v < EVERY; v++)
        after_nan(v);
    for (int n = 1; n <= 130; n += 3) { /* the methods in turn */
        force_method(gemm, n % EVERY);
        check(gemm, square(n), "sizes");
        force_method(gemm, (n + 5) % EVERY);
        check(gemm, box(n, 131 - n, (n * 37) % 130 + 1), "sizes");
    }
    for (int v = 0; v < EVERY; v++) {
        force_method(gemm, v);
        for (int i = 0; i < 8; i++)
            check(gemm, box(i & 1 ? 130 : 1, i & 2 ? 129 : 3, i & 4 ? 127 : 2), "sizes");
    }
}

static void empty(void)
{
    for (int i = 0; i < 27; i++)
        for (int beta = 0; beta < 3; beta++) {
            static const int edges[] = {0, 1, 40};
            struct call_data s = box(edges[i / 9], edges[i / 3 % 3], edges[i % 3]);
            s.beta = (float)beta, s.extra = 3;
            check(gemm, s, "empty");
            struct ladder_done done = ladder_gemm_last(gemm);
            EXPECT(!strcmp(done.ran.variant, s.m && s.n && s.k ? "cublas" : "none") ||
                       (s.m && s.n && s.k && done.measured),
                   "%s", done.ran.variant);
            s.rows = true;
            check(gemm, s, "empty");
        }
}

/* The calls that rocBLAS's bad-argument tests make: sizes below zero, short leading dimensions,
 * null pointers; and what is right though it looks bad: nothing to do, nothing to read. */
static void arguments(void)
{
    float one = 1, zero = 0, *x = NULL;
    must(cudaMalloc((void **)&x, 4 * 6 * sizeof *x));
    set_bytes(x, 0, 4 * 6 * sizeof *x);
    const cublasOperation_t N = CUBLAS_OP_N, T = CUBLAS_OP_T, wrong = (cublasOperation_t)7;
    const struct {
        int expected, rows_expected, handle;
        cublasOperation_t ta, tb;
        int m, n, k;
        const float *alpha, *a;
        int lda;
        const float *b;
        int ldb;
        const float *beta;
        float *c;
        int ldc;
    } calls[] = {
        {0, 0, 1, N, N, 2, 2, 2, &one, x, 2, x + 8, 2, &one, x + 16, 2},
        {1, 1, 0, N, N, 2, 2, 2, &one, x, 2, x, 2, &one, x, 2},
        {2, 2, 1, wrong, N, 2, 2, 2, &one, x, 2, x, 2, &one, x, 2},
        {3, 3, 1, N, wrong, 2, 2, 2, &one, x, 2, x, 2, &one, x, 2},
        {4, 4, 1, N, N, -1, 2, 2, &one, x, 2, x, 2, &one, x, 2},
        {5, 5, 1, N, N, 2, -1, 2, &one, x, 2, x, 2, &one, x, 2},
        {6, 6, 1, N, N, 2, 2, -1, &one, x, 2, x, 2, &one, x, 2},
        {7, 7, 1, N, N, 2, 2, 2, NULL, x, 2, x, 2, &one, x, 2},
        {8, 8, 1, N, N, 2, 2, 2, &one, NULL, 2, x, 2, &one, x, 2},
        {9, 0, 1, N, N, 3, 1, 1, &one, x, 2, x + 8, 1, &one, x + 16, 3},
        {9, 0, 1, T, N, 1, 1, 3, &one, x, 2, x + 8, 3, &one, x + 16, 3},
        {10, 10, 1, N, N, 2, 2, 2, &one, x, 2, NULL, 2, &one, x, 2},
        {11, 9, 1, N, N, 1, 1, 3, &one, x, 1, x + 8, 2, &one, x + 16, 3},
        {11, 0, 1, N, T, 1, 3, 1, &one, x, 1, x + 8, 2, &one, x + 16, 3},
        {12, 12, 1, N, N, 2, 2, 2, &one, x, 2, x, 2, NULL, x, 2},
        {13, 13, 1, N, N, 2, 2, 2, &one, x, 2, x, 2, &one, NULL, 2},
        {14, 0, 1, N, N, 3, 1, 1, &one, x, 3, x + 8, 1, &one, x + 16, 2},
        {0, 11, 1, N, N, 1, 3, 1, &one, x, 1, x + 8, 1, &one, x + 16, 1},
        {0, 14, 1, T, T, 1, 3, 1, &one, x, 1, x + 8, 3, &one, x + 16, 1},
        {0, 0, 1, N, N, 0, 2, 2, &one, NULL, 2, NULL, 2, &one, NULL, 2}, /* nothing to do */
        {0, 0, 1, N, N, 2, 0, 2, &one, NULL, 2, NULL, 2, &one, NULL, 2},
        {0, 0, 1, N, N, 2, 2, 0, &one, NULL, 2, NULL, 2, &zero, x + 16, 2}, /* nor to read */
        {0, 0, 1, N, N, 2, 2, 2, &zero, NULL, 2, NULL, 2, &zero, x + 16, 2},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        for (int rows = 0; rows < 2; rows++) {
            int expected = rows ? calls[i].rows_expected : calls[i].expected;
            int got = (rows ? ladder_sgemm_row_major : ladder_sgemm)(
                calls[i].handle ? gemm : NULL, calls[i].ta, calls[i].tb, calls[i].m, calls[i].n,
                calls[i].k, calls[i].alpha, calls[i].a, calls[i].lda, calls[i].b, calls[i].ldb,
                calls[i].beta, calls[i].c, calls[i].ldc);
            EXPECT(got == expected, "call %zu, row-major %d: %d, not %d", i, rows, got,
                   expected);
        }
    EXPECT(ladder_gemm_create(NULL, NULL) == 1, "create");
    struct ladder_plan none = {"none", 0, 0}, many = {"plain", 7, 0};
    EXPECT(ladder_gemm_force(gemm, &none) == 2, "a plan of no variant");
    EXPECT(ladder_gemm_force(gemm, &many) == 2, "a plan of too many levels");
    cudaFree(x);
}

/* Between these two calls stderr goes into a file. */
static int kept_stderr;
static char stderr_file[64];
static void catch_stderr(void)
{
    fflush(stderr);
    snprintf(stderr_file, sizeof stderr_file, "gemm-stderr-%d.txt", (int)getpid());
    kept_stderr = dup(2);
    if (!freopen(stderr_file, "w", stderr))
        exit(3);
}
static const char *caught_stderr(void)
{
    fflush(stderr);
    dup2(kept_stderr, 2);
    close(kept_stderr);
    const char *text = text_of(stderr_file);
    remove(stderr_file);
    return text;
}

static void limits(void)
{
    struct call_data s = square(96);
    ladder_gemm_verbose(gemm, 1);
    force(gemm, "beside", 3);
    check(gemm, s, "no limit");
    struct ladder_done all = ladder_gemm_last(gemm), less;
    EXPECT(!all.fell_back && all.ran.levels == 3 && all.workspace_bytes > 0, "no limit");
    /* With every limit, from the memory it wants down to nothing, the product is right and
     * stays within the limit. */
    int plain = 0;
    for (size_t limit = all.workspace_bytes - 1;; limit /= 2) {
        ladder_gemm_limit_workspace(gemm, limit);
        catch_stderr();
        check(gemm, s, "limit");
        const char *said = caught_stderr();
        less = ladder_gemm_last(gemm);
        EXPECT(less.fell_back && less.workspace_bytes <= limit,
               "limit %zu: %zu bytes, fell back %d", limit, less.workspace_bytes,
               less.fell_back);
        EXPECT(strstr(said, "no room for") && strstr(said, less.ran.variant), "said: '%s'",
               said);
        EXPECT(strcmp(said, "") == 0 || strncmp(said, ladder_gemm_message(gemm), 40) == 0, "%s",
               said);
        EXPECT(strcmp(less.plan.variant, "beside") == 0 && less.plan.levels == 3,
               "the plan stays");
        plain += strcmp(less.ran.variant, "plain") == 0;
        if (limit == 0)
            break;
    }
    EXPECT(plain > 0, "plain was never used");
    EXPECT(strcmp(less.ran.variant, "cublas") == 0 && less.workspace_bytes == 0,
           "without workspace: %s", less.ran.variant);
    ladder_gemm_verbose(gemm, 0);
    catch_stderr();
    check(gemm, s, "quiet");
    const char *said = caught_stderr();
    EXPECT(!*said, "said: '%s'", said);
    ladder_gemm_limit_workspace(gemm, (size_t)-1);
    check(gemm, s, "no limit again");
    EXPECT(!ladder_gemm_last(gemm).fell_back && ladder_gemm_last(gemm).ran.levels == 3,
           "again");

    /* Under a limit only what fits is measured; the plan is forgotten when the limit goes. */
    ladder_gemm_force(gemm, NULL);
    ladder_gemm_limit_workspace(gemm, 0);
    for (int time = 0; time < 2; time++) {
        check(gemm, s, "measured without workspace");
        less = ladder_gemm_last(gemm);
        EXPECT(less.fell_back && less.measured == !time &&
                   strcmp(less.ran.variant, "cublas") == 0,
               "time %d: %d %d %s", time, less.fell_back, less.measured, less.ran.variant);
    }
    s.beta = 1;
    check(gemm, s,
          "measured without workspace, beta = 1"); /* there is no room for a C to measure on */
    EXPECT(ladder_gemm_last(gemm).fell_back && !ladder_gemm_last(gemm).measured, "beta = 1");
    s.beta = 0;
    ladder_gemm_limit_workspace(gemm, (size_t)-1);
    check(gemm, s, "measured again");
    EXPECT(ladder_gemm_last(gemm).measured && !ladder_gemm_last(gemm).fell_back, "again");
#ifdef LADDER_SIM
    /* The device itself is out of memory. */
    force(gemm, "one-pass", 2);
    ladder_gemm_limit_workspace(gemm, 0), ladder_gemm_limit_workspace(gemm, (size_t)-1);
    simgpu_set_memory_limit(1 << 20); /* the test's matrices take 200 KiB, one-pass 250 */
    check(gemm, square(128), "enough memory");
    EXPECT(!ladder_gemm_last(gemm).fell_back, "1 MiB should do");
    check(gemm, square(256), "out of memory"); /* 768 KiB of matrices */
    EXPECT(ladder_gemm_last(gemm).fell_back, "by %s", ladder_gemm_last(gemm).ran.variant);
    simgpu_set_memory_limit(0);
#endif
}

/* ---- The tuning file ---- */

static char plans[64];

static void again_with(const char *file)
{
    ladder_gemm_destroy(gemm);
    gemm = handle(file);
}

static void keep_first_line(char *first, size_t size)
{
    const char *text = text_of(plans);
    snprintf(first, size, "%.*s", (int)strcspn(text, "\n") + 1, text);
}

static void write_file(const char *text, const char *more)
{
    FILE *out = fopen(plans, "w");
    fprintf(out, "%s%s", text, more);
    fclose(out);
}

static void tuning_file(void)
{
    char written[8192], first[512];
    snprintf(plans, sizeof plans, "gemm-plans-%d.txt", (int)getpid());
    remove(plans);
    again_with(plans);
    struct call_data s = square(64), scaled_s = call_of(32, 64, 48, 0, 2.5, -1);
    check_plan(s, true, "the first of a shape");
    check_plan(s, false, "the second of a shape");
    ladder_gemm_measure(gemm, 0);
    check(gemm, box(32, 64, 48), "unscaled"); /* no part of it is kept */
    ladder_gemm_measure(gemm, 1);
    check_plan(scaled_s, true, "scaled is another shape");
    snprintf(written, sizeof written, "%s", text_of(plans));
    EXPECT(lines_in(written) == 3, "lines: %s", written);
    snprintf(first, sizeof first, ", ladder_gemm %d.%d\n64 64 64", LADDER_GEMM_VERSION_MAJOR,
             LADDER_GEMM_VERSION_MINOR);
    EXPECT(strncmp(written, "ladder_gemm plans: ", 19) == 0 && strstr(written, ", cuBLAS ") &&
               strstr(written, first),
           "first line: %s", written);
    EXPECT(strstr(written, "\n64 64 64 nnp ") && strstr(written, "\n32 64 48 nns "), "%s",
           written);
    again_with(plans);
    check_plan(s, false, "read from the file");
    check_plan(scaled_s, false, "read from the file");
    EXPECT(strcmp(text_of(plans), written) == 0, "nothing new to write: %s", text_of(plans));

    /* The file's plans are used; of two lines for a shape the last one counts, even without a
       line's end. */
    keep_first_line(first, sizeof first);
    write_file(first, "64 64 64 nnp plain 1 0\n64 64 64 nnp one-pass 2 0");
    again_with(plans);
    EXPECT(!*ladder_gemm_message(gemm), "%s", ladder_gemm_message(gemm));
    check(gemm, s, "as the file says");
    struct ladder_done done = ladder_gemm_last(gemm);
    EXPECT(strcmp(done.ran.variant, "one-pass") == 0 && done.ran.levels == 2, "%s",
           done.ran.variant);
    check(gemm, square(48), "another"); /* goes to a separate line */
    EXPECT(strstr(text_of(plans), "one-pass 2 0\n48 48 48 nnp "), "%s", text_of(plans));
    again_with(plans);
    EXPECT(!*ladder_gemm_message(gemm), "%s", ladder_gemm_message(gemm));

    /* Without measuring, an unknown shape goes to cuBLAS. */
    ladder_gemm_measure(gemm, 0);
    check(gemm, square(80), "not measured");
    done = ladder_gemm_last(gemm);
    EXPECT(!done.measured && strcmp(done.ran.variant, "cublas") == 0 && !done.fell_back, "%s",
           done.ran.variant);
    check(gemm, s, "not measured, but known");
    EXPECT(ran_by(gemm, "one-pass"), "known");

    /* Broken lines are named and left out, the others used. */
    static const char *const broken[] = {
        "64 64 nnp one-pass 2 0",   "64 64 64 nnx one-pass 2 0", "64 64 64 nnp two-pass 2 0",
        "64 64 64 nnp own 2 0",     "64 64 64 nnp one-pass 9 0", "64 64 64 nnp one-pass 2 0 7",
        "0 64 64 nnp one-pass 2 0", "64 64 64 nnp one-pass 2 5", "garbage"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        char text[512], expected[128];
        snprintf(text, sizeof text, "64 64 64 nnp plain 1 0\n%s\n48 48 48 nnp plain 2 0\n",
                 broken[i]);
        write_file(first, text);
        catch_stderr();
        again_with(plans);
        const char *said = caught_stderr();
        snprintf(expected, sizeof expected, "%s:3: not a plan: '%s'", plans, broken[i]);
        EXPECT(strcmp(ladder_gemm_message(gemm), expected) == 0, "'%s'",
               ladder_gemm_message(gemm));
        EXPECT(strncmp(said, expected, strlen(expected)) == 0, "said: '%s'", said);
        check(gemm, s, "with a broken line");
        EXPECT(ladder_gemm_last(gemm).ran.levels == 1, "line 2");
        check(gemm, square(48), "with a broken line");
        EXPECT(ladder_gemm_last(gemm).ran.levels == 2, "line 4");
    }

    /* Another GPU's file, or no tuning file, is not used and not changed. */
    char other_version[600];
    snprintf(other_version, sizeof other_version,
             "%.*s, ladder_gemm 0.9\n64 64 64 nnp plain 1 0\n",
             (int)(strstr(first, ", ladder_gemm") - first), first);
    const char *const others[][2] = {
        {"ladder_gemm plans: Another GPU, cuBLAS 1\n64 64 64 nnp plain 1 0\n",
         "its plans are for Another GPU, cuBLAS 1; it is not used"},
        {other_version, ", ladder_gemm 0.9; it is not used"},
        {"a letter\n64 64 64 nnp plain 1 0\n", "not a tuning file; it is not used"}};
    for (int i = 0; i < 3; i++) {
        write_file(others[i][0], "");
        catch_stderr();
        again_with(plans);
        const char *said = caught_stderr();
        EXPECT(strstr(said, plans) && strstr(said, others[i][1]), "said: '%s'", said);
        EXPECT(strstr(ladder_gemm_message(gemm), others[i][1]), "%s",
               ladder_gemm_message(gemm));
        check(gemm, s, "with another's file");
        EXPECT(ladder_gemm_last(gemm).measured, "its plan is not used");
        EXPECT(strcmp(text_of(plans), others[i][0]) == 0, "changed: %s", text_of(plans));
    }

    /* Plans made under a limit stay out of the file; one that cannot be written is reported. */
    write_file(first, "");
    again_with(plans);
    ladder_gemm_limit_workspace(gemm, 0);
    check(gemm, s, "limited");
    EXPECT(strcmp(text_of(plans), first) == 0, "%s", text_of(plans));
    catch_stderr();
    again_with("/dev/null/plans.txt");
    check(gemm, s, "no folder");
    const char *said = caught_stderr();
    EXPECT(strstr(said, "/dev/null/plans.txt: cannot be written"), "said: '%s'", said);
    remove(plans);

    /* A link remains a link, whether its file is there or not. */
    struct stat there;
    char behind[80];
    snprintf(behind, sizeof behind, "%s.real", plans);
    EXPECT(symlink(behind, plans) == 0, "no link: %s", strerror(errno));
    for (int i = 0; i < 2; i++) {
        again_with(plans);
        check(gemm, square(64 + 16 * i), "through a link");
        EXPECT(lstat(plans, &there) == 0 && S_ISLNK(there.st_mode), "the link is gone");
        EXPECT(lines_in(text_of(plans)) == 2 + i, "%s", text_of(plans));
    }
    remove(plans), remove_plans(behind);

    /* Something that is not a regular file is not replaced by one. */
    EXPECT(mknod(plans, S_IFSOCK | 0600, 0) == 0, "no socket: %s", strerror(errno));
    catch_stderr();
    again_with(plans);
    check(gemm, s, "a socket");
    said = caught_stderr();
    EXPECT(strstr(said, "cannot be written"), "said: '%s'", said);
    EXPECT(stat(plans, &there) == 0 && S_ISSOCK(there.st_mode), "the socket is gone");
    remove(plans);
}

/* How a plan that was found relates to its candidates. */
static void plan_found(void)
{
    struct ladder_plan all[64];
    int count = ladder_gemm_candidates(gemm, 256, 256, 256, all, 64);
    EXPECT(count > 0 && count <= 64 && strcmp(all[0].variant, "cublas") == 0, "%d candidates",
           count);
    for (int i = 1; i < count; i++)
        EXPECT(ladder_gemm_force(gemm, &all[i]) == 0 && all[i].levels >= all[i - 1].levels,
               "%s %d", all[i].variant, all[i].levels);
    ladder_gemm_force(gemm, NULL);
    count =
        ladder_gemm_candidates(gemm, 16, 9000000, 16, all, 64); /* too wide for one launch */
    for (int i = 1; i < count; i++)
        EXPECT(all[i].levels > 0, "%s without levels", all[i].variant);
    EXPECT(count > 1, "with levels it is not");
    struct call_data s = call_of(72, 100, 68, 2, -1, 2.5);
    check_plan(s, true, "measured"); /* C is read: measuring must not change it */
    s.beta = 0;
    check_plan(s, false, "known"); /* still a scaled product */
    s.extra = 4, s.tb = CUBLAS_OP_T;
    check_plan(s, true, "another");
    s.alpha = 1;
    check_plan(s, true, "not scaled");
    s.ta = CUBLAS_OP_N;
    check_plan(s, true, "not transposed");
    check_plan(square(5), false, "nothing to choose from");
}

/* A plan holds under any bound between its levels and the one that it was found under. A plan
   found under a lower bound is kept as well, in the file, too. */
static void bounded(void)
{
    struct ladder_plan plan;
    const struct ladder_shape ahead = {0, CUBLAS_OP_N, CUBLAS_OP_N, 64, 64, 64, 64, 64, 64, 0};
    snprintf(plans, sizeof plans, "gemm-bounded.txt");
    remove(plans);
    for (int again = 0; again < 2; again++) {
        again_with(plans);
        ladder_gemm_most_levels(gemm, 1);
        for (int time = 0; time < 2; time++) {
            check(gemm, square(64), "under a bound");
            struct ladder_done done = ladder_gemm_last(gemm);
            EXPECT(done.measured == (!again && !time) && !done.fell_back &&
                       done.ran.levels <= 1,
                   "process %d, product %d: measured %d, fell back %d", again, time,
                   done.measured, done.fell_back);
        }
    }
    again_with(plans);
    check_plan(square(64), true, "under a higher bound it is found anew");
    EXPECT(lines_in(text_of(plans)) == 3, "both are kept: %s", text_of(plans));
    char first[512];
    keep_first_line(first, sizeof first);
    write_file(first, "64 64 64 nnp plain 2 0\n64 64 64 nnp plain 1 0 1\n");
    for (int bound = 6; bound >= 0; bound--) {
        again_with(plans);
        ladder_gemm_most_levels(gemm, bound);
        EXPECT(ladder_gemm_plan(gemm, &ahead, &plan, NULL) == 0, "%s",
               ladder_gemm_message(gemm));
        int known = bound >= 2 ? 2 : bound;
        EXPECT(plan.levels <= bound, "%d levels under %d", plan.levels, bound);
        EXPECT(bound == 0 ? ladder_gemm_last(gemm).measured
                          : plan.levels == known && !ladder_gemm_last(gemm).measured,
               "%d levels under a bound of %d", plan.levels, bound);
    }
    remove_plans(plans);
}

/* Without measuring, a shape follows the plan of a known one whose edges are almost the same.
 */
static void neighbours(void)
{
    ladder_gemm_t plain = NULL;
    char first[512];
    EXPECT(ladder_gemm_create(&plain, NULL) == 0, "%s", ladder_gemm_message(NULL));
    ladder_gemm_destroy(gemm);
    gemm = plain;
    ladder_gemm_smallest_leaf(gemm, 8);
    check_plan(square(64), false, "nothing is measured by default");
    snprintf(plans, sizeof plans, "gemm-neighbours.txt");
    remove(plans);
    again_with(plans);
    check(gemm, square(64), "measured");
    keep_first_line(first, sizeof first);
    write_file(
        first,
        "64 64 64 nnp plain 2 0\n96 96 96 nnp one-pass 1 0\n64 64 64 nnpd batched 1 0\n");
    again_with(plans);
    ladder_gemm_measure(gemm, 0);
    static const struct {
        int edge;
        const char *variant;
    } near[] = {
        {66, "plain"}, {62, "plain"}, {92, "one-pass"}, {100, "one-pass"}, {72, "cublas"}};
    for (size_t i = 0; i < sizeof near / sizeof *near; i++) {
        check(gemm, square(near[i].edge), "a neighbour");
        struct ladder_done done = ladder_gemm_last(gemm);
        EXPECT(strcmp(done.ran.variant, near[i].variant) == 0 && !done.measured &&
                   !done.fell_back,
               "%d: %s", near[i].edge, done.ran.variant);
    }
    ladder_gemm_most_levels(gemm, 1);
    check(gemm, square(66), "under a bound");
    EXPECT(ladder_gemm_last(gemm).ran.levels <= 1, "%d levels",
           ladder_gemm_last(gemm).ran.levels);
    remove_plans(plans);
}

/* The mean error of one product of random numbers, against sums in double. */
static double mean_error(int accurate)
{
    enum { EDGE = 192 };
    struct call_data x = with_matrices(square(EDGE), 1, as_it_is, as_it_is, NULL);
    double sum = 0;
    ladder_gemm_set_accurate(gemm, accurate);
    force(gemm, "beside", 3);
    SUCCEEDS(gemm, multiply(gemm, &x));
    float *got = fetched(&x, &x.c);
    for (int j = 0; j < EDGE; j++)
        for (int i = 0; i < EDGE; i++) {
            double exact = 0;
            for (int l = 0; l < EDGE; l++)
                exact += a_at(&x, i, l) * b_at(&x, l, j);
            sum += fabs(got[place_in_c(&x, i, j)] - exact);
        }
    free(got);
    destroy_matrices(&x);
    return sum / EDGE / EDGE;
}

/* Three levels of the accurate sums have less than half the error of Winograd's. */
static void accurate(void)
{
    double ours = mean_error(1), winograds = mean_error(0);
    EXPECT(ours < winograds / 2, "mean errors %g and %g", ours, winograds);
}

/* A shape whose matrices do not fit into memory has no plan, and the call reports it. */
static void no_room(void)
{
    const struct ladder_shape huge = {0,    CUBLAS_OP_N, CUBLAS_OP_N, 2000000000, 1000,
                                      1000, 2000000000,  1000,        2000000000, 0};
    int status = ladder_gemm_plan(gemm, &huge, NULL, NULL);
    EXPECT(status == LADDER_GEMM_NO_MEMORY && strstr(ladder_gemm_message(gemm), "no memory"),
           "status %d: %s", status, ladder_gemm_message(gemm));
    check(gemm, square(40), "after it");
}

static const struct named_case cases[] = {
    {"forms", forms},           {"all-forms", all_forms}, {"sizes", sizes},
    {"empty", empty},           {"arguments", arguments}, {"limits", limits},
    {"file", tuning_file},      {"plan", plan_found},     {"bounded", bounded},
    {"neighbours", neighbours}, {"no-room", no_room},     {"accurate", accurate}};
enum { CASES = sizeof cases / sizeof *cases };

int main(int argc, char **argv)
{
    int ran = 0;
    if (!has_gpu())
        return SKIPPED;
    for (int i = 0; i < CASES; i++) {
        again_with(NULL); /* each case has a handle without settings */
        ran += run_cases(&cases[i], 1, argc > 1 ? argv[1] : NULL);
    }
    ladder_gemm_destroy(gemm);
    return end_of_cases(ran);
}
