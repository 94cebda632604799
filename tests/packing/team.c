/* SPDX-License-Identifier: MIT */
/** @file team.c
 * The packed product waits for pieces of its work, not for threads. It is right, and ends,
 * without helpers (a child after fork has none) and with two threads that multiply at once. It
 * takes as many threads as pay.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "steps/02-cpu-blocked/packed.h"

/* More rows than those for which B is not packed, several panels of k, and little enough work
   for an emulated processor. */
enum { M = 61, N = 103, K = 1101, THREADS = 4 };

static real a[M * K], b[K * N], expected[M * N];

/* Stores the product of the integers in a and b, with `threads` threads, in c. False without
 * memory. */
static bool multiply(int threads, real *c)
{
    struct context ctx = {.threads = threads};
    struct product p = {{a, M, K, K}, {b, K, N, N}, {c, M, N, N}, 0};
    real *workspace = malloc(workspace_packed(&ctx, p, 0) * sizeof(real));
    if (workspace)
        multiply_packed(&ctx, p, 0, workspace);
    free(workspace);
    return workspace != NULL;
}

/* Repeats the product, since the order of threads varies. Returns the mistake, or NULL. */
static void *multiply_often(void *unused)
{
    static char wrong;
    real *c = malloc(sizeof expected);
    bool right = c != NULL;
    for (int again = 0; right && again < 20; again++)
        right = multiply(THREADS, c) && memcmp(c, expected, sizeof expected) == 0;
    free(c);
    return right ? unused : &wrong;
}

static bool right_in_child(void)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        _exit(multiply_often(NULL) != NULL);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

static bool right_in_two_threads(void)
{
    pthread_t other;
    void *wrong;
    if (pthread_create(&other, NULL, multiply_often, NULL) != 0)
        return false;
    bool right = multiply_often(NULL) == NULL;
    return pthread_join(other, &wrong) == 0 && !wrong && right;
}

/* More threads for a larger product, and never more than the limit. */
static bool takes_as_many_as_pay(void)
{
    enum { LIMIT = 16 };
    int last = 1;
    for (long n = 16; n <= 4096; n *= 2) {
        int threads = plan_for(n, n, n, LIMIT, default_blocks(LIMIT)).threads;
        if (threads < last || threads > LIMIT || (n <= 64 && threads > 1))
            return false;
        for (int limit = 1; limit <= LIMIT; limit++) /* a higher limit is not always used up */
            if (plan_for(n, n, n, limit, default_blocks(limit)).threads !=
                smaller(limit, threads))
                return false;
        last = threads;
    }
    return last == LIMIT;
}

static int check(bool right, const char *what)
{
    if (!right)
        printf("FAILED: %s\n", what);
    return !right;
}

int main(void)
{
    for (int i = 0; i < M * K; i++)
        a[i] = (real)(i % 7 - 3);
    for (int i = 0; i < K * N; i++)
        b[i] = (real)(i % 5 - 2);
    if (!multiply(1, expected))
        return 1;
    return check(takes_as_many_as_pay(), "the plan's threads") +
           check(multiply_often(NULL) == NULL, "on several threads") +
           check(right_in_child(), "in a child, which has no helpers") +
           check(right_in_two_threads(), "in two threads at once");
}
