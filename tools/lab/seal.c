/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "seal.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__linux__) && __has_include(<linux/landlock.h>) && __has_include(<linux/seccomp.h>)
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>

/* Rights by the number of the kernel's version of Landlock that knows them. */
static __u64 writing_rights(long version)
{
    __u64 rights = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                   LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                   LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                   LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                   LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
    if (version >= 2)
        rights |= 1ULL << 13; /* linking and renaming between folders */
    if (version >= 3)
        rights |= 1ULL << 14; /* truncating */
    return rights;
}

/* What the kernel may not know yet is at the end: `size` says how much of it is meant. */
struct rules {
    __u64 files, network, scoped;
};

static void close_the_files(void)
{
    long version =
        syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1)
        return;
    struct rules rules = {writing_rights(version), version >= 4 ? 3 : 0, version >= 6 ? 3 : 0};
    size_t size = version >= 6   ? sizeof rules
                  : version >= 4 ? 2 * sizeof(__u64)
                                 : sizeof(__u64);
    int set = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
    if (set < 0)
        return;
    static const char *const open_places[] = {".", "/dev/null"};
    for (int i = 0; i < 2; i++) {
        struct landlock_path_beneath_attr beneath = {
            .allowed_access = i ? LANDLOCK_ACCESS_FS_WRITE_FILE : rules.files,
            .parent_fd = open(open_places[i], O_PATH | O_CLOEXEC)};
        if (beneath.parent_fd >= 0) {
            syscall(SYS_landlock_add_rule, set, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
            close(beneath.parent_fd);
        }
    }
    syscall(SYS_landlock_restrict_self, set, 0);
    close(set);
}

#ifdef __x86_64__
/* Threads may be started, programs may not. */
static void start_nothing(void)
{
    enum {
        CALL = offsetof(struct seccomp_data, nr),
        FLAGS = offsetof(struct seccomp_data, args[0])
    };
#define REFUSE(error)   BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
#define IF_CALL(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1)
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0),
        REFUSE(EPERM),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, CALL),
        IF_CALL(SYS_clone3),
        REFUSE(ENOSYS), /* the library then takes clone, whose flags can be seen */
        IF_CALL(SYS_fork),
        REFUSE(EPERM),
        IF_CALL(SYS_vfork),
        REFUSE(EPERM),
        IF_CALL(SYS_execve),
        REFUSE(EPERM),
        IF_CALL(SYS_execveat),
        REFUSE(EPERM),
        IF_CALL(SYS_ptrace),
        REFUSE(EPERM),
        IF_CALL(SYS_socket),
        REFUSE(EPERM),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, FLAGS),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
        REFUSE(EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
#else
static void start_nothing(void) {}
#endif

void seal(const char *backend)
{
    if (strcmp(backend, "cuda") == 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return;
    close_the_files();
    if (strcmp(backend, "cpu") == 0)
        start_nothing(); /* the simulated GPU asks addr2line for the lines of its faults */
}
#else
void seal(const char *backend) { (void)backend; }
#endif
