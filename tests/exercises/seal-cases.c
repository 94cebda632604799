/* SPDX-License-Identifier: MIT */
/** @file seal-cases.c
 * What a program may still do once it is sealed (tools/lab/seal.h). Status 77 where the kernel
 * offers nothing.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/lab/seal.h"

static int problems;

static void expect(int held, const char *what)
{
    problems += !held;
    printf("%s: %s\n", held ? "right" : "WRONG", what);
}

static int can_write(const char *path)
{
    int file = open(path, O_WRONLY | O_CREAT, 0600);
    if (file >= 0)
        close(file);
    return file >= 0;
}

static int can_fork(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    if (child > 0)
        waitpid(child, NULL, 0);
    return child > 0;
}

static void *nothing(void *what) { return what; }

/* In a process of its own: what is given up stays given up. */
static void sealed_as(const char *backend, const char *outside)
{
    int cpu = strcmp(backend, "cpu") == 0;
    pthread_t thread;
    fflush(stdout);
    pid_t child = fork();
    if (child != 0) {
        int status;
        waitpid(child, &status, 0);
        problems += !WIFEXITED(status) || WEXITSTATUS(status) != 0;
        return;
    }
    seal(backend);
    expect(can_write("inside"), "a file in its own folder can be written");
    expect(!can_write(outside), "a file elsewhere cannot be written");
    expect(!can_write("/tmp/seal-cases-outside"), "nor one in /tmp");
    expect(can_write("/dev/null"), "/dev/null can");
    expect(rename("inside", outside) != 0, "no file can be moved out");
    expect(open("/proc/self/maps", O_RDONLY) >= 0, "files can be read");
    expect(pthread_create(&thread, NULL, nothing, NULL) == 0 && pthread_join(thread, NULL) == 0,
           "a thread can be started");
    if (cpu) {
        expect(!can_fork(), "no process can be started");
        expect(socket(AF_INET, SOCK_STREAM, 0) < 0, "no socket can be had");
        execl("/bin/true", "true", (char *)NULL);
        expect(errno == EPERM, "no other program can be run");
    } else {
        expect(can_fork(), "the simulated GPU may start addr2line");
    }
    expect(kill(getppid(), 0) != 0 || syscall(SYS_landlock_create_ruleset, NULL, 0, 1) < 6,
           "its parent gets no signal from it, where the kernel can prevent that");
    fflush(stdout);
    _exit(problems != 0);
}

int main(void)
{
    char folder[] = "/tmp/seal-cases.XXXXXX", outside[64];
    if (syscall(SYS_landlock_create_ruleset, NULL, 0, 1) < 1) {
        puts("this kernel has no Landlock");
        return 77;
    }
    if (!mkdtemp(folder))
        return 1;
    snprintf(outside, sizeof outside, "%s/outside", folder);
    char *inner = strdup(outside);
    strcpy(strrchr(inner, '/'), "/run");
    if (mkdir(inner, 0700) != 0 || chdir(inner) != 0)
        return 1;
    sealed_as("cpu", outside);
    sealed_as("sim", outside);
    expect(can_write(outside), "who is not sealed writes where it likes");
    unlink(outside), unlink("inside"), rmdir(inner), rmdir(folder), free(inner);
    printf("%d problems\n", problems);
    return problems != 0;
}
