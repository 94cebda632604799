/* SPDX-License-Identifier: MIT */
/** @file test_faults.c
 * Runs each program of faults.cu in a separate process and checks the diagnosis: the kind,
 * the line that "planted: NAME" marks, the kernel's error code, and the exit status.
 *
 *     test_faults SOURCE            checks all programs
 *     test_faults SOURCE NAME       shows the messages of the traced build of one program
 *     test_faults SOURCE -NAME      shows the messages of its plain build
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cuda_runtime.h>
#include "faults.h"
#include "simgpu.h"

static int failures;

/** The line of the source with "planted: NAME"; 0 if there is none. */
static int planted_line(const char *source, const char *name)
{
    FILE *file = fopen(source, "r");
    if (!file) {
        perror(source);
        exit(2);
    }
    char text[1000], mark[200];
    snprintf(mark, sizeof mark, "planted: %s\n", name);
    for (int line = 1; fgets(text, sizeof text, file); line++)
        if (strstr(text, mark)) {
            fclose(file);
            return line;
        }
    fclose(file);
    return 0;
}

/** Runs one program as a child process; `said` gets its messages. */
static int run_child(const struct planted *p, int shuffle, char *said, size_t size)
{
    int pipe_ends[2];
    if (pipe(pipe_ends) != 0)
        exit(2);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        dup2(pipe_ends[1], 2);
        close(pipe_ends[0]);
        simgpu_set_shuffle((uint64_t)shuffle);
        simgpu_count_start();
        p->run();
        cudaError_t launch = cudaGetLastError(), kernel = cudaDeviceSynchronize();
        fprintf(stderr, "error: %s\n",
                cudaGetErrorString(launch != cudaSuccess ? launch : kernel));
        exit(0); /* the simulator makes it 1 */
    }
    close(pipe_ends[1]);
    size_t length = 0;
    ssize_t got;
    while (length + 1 < size &&
           (got = read(pipe_ends[0], said + length, size - 1 - length)) > 0)
        length += (size_t)got;
    said[length] = '\0';
    close(pipe_ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static void check(const char *source, const struct planted *p, int plain, int shuffle)
{
    static char said[65536];
    int status = run_child(p, shuffle, said, sizeof said);
    int expected = p->fault[0] != '\0' && (!plain || p->in_plain);
    char wanted[300] = "", error[200] = "";
    const char *base = strrchr(source, '/') ? strrchr(source, '/') + 1 : source;
    int line = planted_line(source, p->name);
    if (expected && line)
        snprintf(wanted, sizeof wanted, "%s:%d: fault: %s", base, line, p->fault);
    else if (expected)
        snprintf(wanted, sizeof wanted, "fault: %s", p->fault);
    if (p->error[0] && expected)
        snprintf(error, sizeof error, "%s", p->error);
    const char *problem = NULL;
    if (!expected && plain && p->fault[0])
        return; /* the plain build may do anything with this program */
    if (expected && status != 1)
        problem = "the exit status is not 1";
    else if (!expected && status != 0)
        problem = "the exit status is not 0";
    else if (expected && !strstr(said, wanted))
        problem = "the diagnosis is missing";
    else if (!expected && strstr(said, "fault:"))
        problem = "a correct program is blamed";
    else if (error[0] && !strstr(said, error) && !strstr(said, "null pointer"))
        problem = "the error code is wrong";
    else if (expected && strstr(strstr(said, "fault:") + 1, "fault:"))
        problem = "more than one fault is reported";
    if (problem) {
        printf("%s (%s%s): %s; status %d, expected \"%s\"\n%s\n", p->name,
               plain ? "plain" : "traced", shuffle ? ", shuffled" : "", problem, status, wanted,
               said);
        failures++;
    }
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    const char *source = argv[1];
    int checked = 0;
    for (const struct planted *p = faults_traced, *q = faults_plain; p->name; p++, q++) {
        if (argc > 2) {
            if (strcmp(argv[2], p->name) == 0)
                p->run();
            else if (argv[2][0] == '-' && strcmp(argv[2] + 1, q->name) == 0)
                q->run();
            continue;
        }
        check(source, p, 0, 0);
        check(source, p, 0, 17);
        check(source, q, 1, 0);
        checked++;
    }
    if (argc > 2)
        return 0;
    printf("%d programs: %s\n", checked, failures ? "FAILED" : "each fault is diagnosed");
    return failures != 0;
}
