/* SPDX-License-Identifier: MIT */
/** @file seal-cases.c
 * What a program may still do once it is sealed (tools/lab/process/seal.h), as root and as
 * anybody else. Status 77 where the kernel offers nothing.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/lab/process/seal.h"

static int problems, skipped;

static void expect(int held, const char *what)
{
    problems += !held;
    printf("%s: %s\n", held ? "right" : "WRONG", what);
}

static int can_open(const char *path, int how)
{
    int file = open(path, how, 0600);
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

/* Files are closed: the rights of the compiler and of a run before the learner's code is
 * called. */
static void closed_files(void)
{
    static const char *const readable[] = {"/usr", "/lib", "/lib64", "/bin", "own", NULL};
    if (!seal_files(readable, "work")) {
        puts("skipped: this kernel has no Landlock");
        skipped++;
        return;
    }
    expect(can_open("own/answer", O_RDONLY), "its own file can be read");
    expect(!can_open("own/answer", O_WRONLY), "and not be written");
    expect(can_open("work/object", O_RDWR | O_CREAT), "its folder can be written");
    expect(!can_open("other/answer", O_RDONLY), "somebody else's file cannot be read");
    expect(!can_open("other/answer", O_WRONLY), "nor be written");
    expect(truncate("other/answer", 0) != 0, "nor be cut off");
    expect(!can_open("other", O_RDONLY | O_DIRECTORY), "nor can the folder be listed");
    expect(unlink("other/answer") != 0, "nor the file be removed");
    expect(rename("work/object", "other/object") != 0, "nothing can be moved there");
    expect(link("work/object", "other/object") != 0, "nor linked");
    expect(symlink("work/object", "other/object") != 0, "nor named there");
    expect(can_open("/dev/null", O_WRONLY), "/dev/null can be written");
    expect(can_fork(), "a compiler starts its parts");
    expect(socket(AF_INET, SOCK_STREAM, 0) < 0 ||
               syscall(SYS_landlock_create_ruleset, NULL, 0, 1) < 4 ||
               connect(socket(AF_INET, SOCK_STREAM, 0),
                       (struct sockaddr *)&(char[16]){AF_INET, 0, 0, 9, 127, 0, 0, 1}, 16) != 0,
           "it reaches no other machine, where the kernel can prevent that");
}

/* Calls are closed: the rights of the learner's code. */
static void closed_calls(void)
{
    struct rlimit more = {RLIM_INFINITY, RLIM_INFINITY};
    pthread_t thread;
    int mine = open("own/answer", O_RDONLY);
    if (!seal_calls()) {
        puts("skipped: this kernel has no seccomp");
        skipped++;
        return;
    }
    expect(pthread_create(&thread, NULL, nothing, NULL) == 0 && pthread_join(thread, NULL) == 0,
           "a thread can be started");
    void *memory = malloc(1 << 25);
    expect(memory != NULL, "memory can be had");
    free(memory);
    expect(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) ==
               MAP_FAILED,
           "but none that limits do not count");
    expect(!can_open("own/answer", O_RDONLY) && errno == EPERM, "no file can be opened");
    expect(!can_open("/dev/null", O_WRONLY), "not even /dev/null");
    expect(chmod("other/answer", 0) != 0, "no file's mode can be changed");
    expect(chown("other/answer", 1, 1) != 0, "nor its owner");
    expect(utimensat(AT_FDCWD, "other/answer", NULL, 0) != 0, "nor its time");
    expect(fchmod(mine, 0) != 0, "nor the mode of a file that is open");
    expect(access("other/answer", F_OK) != 0, "nobody learns whether a file is there");
    expect(mkdir("work/folder", 0700) != 0, "no folder can be made");
    expect(shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600) < 0, "no shared memory can be had");
    expect(msgget(IPC_PRIVATE, IPC_CREAT | 0600) < 0, "no queue of messages");
    expect(syscall(SYS_memfd_create, "x", 0) < 0, "no file in memory");
    expect(syscall(SYS_io_uring_setup, 8, (char[128]){0}) < 0, "no ring of calls");
    expect(socket(AF_UNIX, SOCK_STREAM, 0) < 0, "no socket can be had");
    expect(!can_fork(), "no process can be started");
    expect(execl("/bin/true", "true", (char *)NULL) != 0 && errno == EPERM,
           "no other program can be run");
    expect(kill(getppid(), 0) != 0, "its parent gets no signal from it");
    expect(syscall(SYS_tgkill, getppid(), getppid(), 0) != 0, "nor one of its threads");
    expect(fcntl(mine, F_SETOWN, getppid()) != 0, "nor when a file is ready");
    expect(syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0) != 0,
           "nor can its memory be read");
    expect(syscall(SYS_ptrace, 16, getppid(), NULL, NULL) != 0, "nor can it be stopped");
    expect(setrlimit(RLIMIT_DATA, &more) != 0, "no limit can be raised");
    expect(setpriority(PRIO_PROCESS, 0, 5) != 0, "nor the share of the processor");
    expect(prctl(PR_SET_NAME, "init") != 0, "its name stays");
    expect(ioctl(STDOUT_FILENO, TIOCSTI, "x") != 0 && errno == EPERM,
           "nothing can be typed for others");
}

/* In a separate process, because rights that are given up cannot be restored. */
static void in_a_child(void (*cases)(void))
{
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        problems = skipped = 0;
        cases();
        fflush(stdout);
        _exit(problems ? 1 : skipped ? 77 : 0);
    }
    waitpid(child, &status, 0);
    skipped += WIFEXITED(status) && WEXITSTATUS(status) == 77;
    problems += !WIFEXITED(status) || (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != 77);
}

/* As a user without rights, if we may become one. */
static void as_nobody(void)
{
    if (setgid(65534) != 0 || setuid(65534) != 0)
        return;
    in_a_child(closed_files);
    in_a_child(closed_calls);
}

int main(void)
{
    char folder[] = "/tmp/seal-cases.XXXXXX";
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return 1;
    static const char *const folders[] = {".", "own", "work", "other"};
    for (int i = 0; i < 4; i++) {
        mkdir(folders[i], 0777);
        expect(chmod(folders[i], 0777) == 0, "a folder is prepared");
    }
    expect(can_open("own/answer", O_WRONLY | O_CREAT), "a file is prepared");
    expect(can_open("other/answer", O_WRONLY | O_CREAT), "another, too");
    chmod("own/answer", 0666), chmod("other/answer", 0666);
    in_a_child(closed_files);
    in_a_child(closed_calls);
    unlink("work/object");
    if (getuid() == 0) {
        puts("---- as a user without rights");
        in_a_child(as_nobody);
    }
    expect(can_open("other/answer", O_WRONLY), "who is not sealed writes where it likes");
    unlink("work/object"), unlink("own/answer"), unlink("other/answer");
    rmdir("work"), rmdir("own"), rmdir("other"), rmdir(folder);
    printf("%d problems, %d skipped\n", problems, skipped);
    return problems ? 1 : skipped >= 2 ? 77 : 0;
}
