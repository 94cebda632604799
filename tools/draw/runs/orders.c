/* SPDX-License-Identifier: MIT */
/* draw-01 ORDER...: prints in lines of JSON which elements of A, B and C one run of the
 * innermost loop touches in each loop order of step 01, and the first ones of the next run. It
 * records the loads and stores that the step really makes: the step's source is compiled with a
 * call before each of them (-fsanitize=thread), and the functions called are the ones below.
 * loops.py draws it.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "step_run.h"

extern const struct step STEP;
enum { N = 16, STEPS = N * N * N, LINE = 64, ARRAYS = 3 };

static float *array[ARRAYS];
static int path[ARRAYS][STEPS]; /* the element of A, B and C at each step of the loops */
static int length[ARRAYS], loops_began;

static void see(const void *address, int writes)
{
    for (int a = 0; a < ARRAYS; a++) {
        long element = ((intptr_t)address - (intptr_t)array[a]) / (intptr_t)sizeof(float);
        if ((intptr_t)address < (intptr_t)array[a] || element >= N * N)
            continue;
        loops_began |= a == 0; /* before, C is set to zero */
        if (loops_began && writes == (a == 2) && length[a] < STEPS)
            path[a][length[a]++] = (int)element;
    }
}

/* What -fsanitize=thread calls; the thread sanitizer itself is not linked. */
void __tsan_read1(void *address) { see(address, 0); }
void __tsan_write1(void *address) { see(address, 1); }
void __tsan_read2(void *address) { see(address, 0); }
void __tsan_write2(void *address) { see(address, 1); }
void __tsan_read4(void *address) { see(address, 0); }
void __tsan_write4(void *address) { see(address, 1); }
void __tsan_read8(void *address) { see(address, 0); }
void __tsan_write8(void *address) { see(address, 1); }
void __tsan_read16(void *address) { see(address, 0); }
void __tsan_write16(void *address) { see(address, 1); }
void __tsan_init(void);
void __tsan_func_entry(void *caller);
void __tsan_func_exit(void);
void *__tsan_memcpy(void *to, const void *from, size_t bytes);
void *__tsan_memset(void *to, int byte, size_t bytes);
void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}
void *__tsan_memcpy(void *to, const void *from, size_t bytes)
{
    return memcpy(to, from, bytes);
}
void *__tsan_memset(void *to, int byte, size_t bytes) { return memset(to, byte, bytes); }

static void run(const char *name)
{
    struct step_run p = whole_run(N, N, N, array[0], array[1], array[2]);
    memset(length, 0, sizeof length);
    loops_began = 0;
    const struct variant *variant = find_variant(STEP.variants, name);
    if (variant)
        run_variant(variant, &p, NULL);
    for (int a = 0; a < ARRAYS; a++)
        if (length[a] != STEPS) {
            fprintf(stderr, "%s: %s touches %c %d times in %d steps\n", STEP.name, name,
                    "ABC"[a], length[a], STEPS);
            exit(1);
        }
}

int main(int argc, char **argv)
{
    const int first = N * N * 5 + N * 7; /* a run in the middle */
    for (int a = 0; a < ARRAYS; a++)
        if (!(array[a] = aligned_alloc(LINE, N * N * sizeof(float))))
            return 3;
    for (int a = 0; a < ARRAYS; a++)
        memset(array[a], 0, N * N * sizeof(float));
    for (int order = 1; order < argc; order++) {
        run(argv[order]);
        printf("{\"order\":\"%s\",\"touched\":[", argv[order]);
        for (int i = 0; i <= N; i++)
            printf("%s[%d,%d,%d]", i ? "," : "", path[0][first + i], path[1][first + i],
                   path[2][first + i]);
        printf("]}\n");
    }
    for (int a = 0; a < ARRAYS; a++)
        free(array[a]);
    return 0;
}
