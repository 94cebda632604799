/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "seal.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__linux__) && __has_include(<linux/landlock.h>) && __has_include(<linux/seccomp.h>)
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>

/* ---- files ---- */

enum {
    READING =
        LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
    OF_A_FILE = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE |
                LANDLOCK_ACCESS_FS_WRITE_FILE | 1 << 14 | 1 << 15
};

/* All rights that the kernel's version of Landlock knows: the first version has 13; then came
 * linking and renaming between folders, truncating, and ioctl on devices. */
static __u64 all_rights(long version)
{
    return (1ULL << (version >= 5 ? 16 : 12 + version)) - 1;
}

/* Members that the kernel may not know yet are at the end: `size` says how many are used. */
struct rules {
    __u64 files, network, scoped;
};

static void allow(int set, const char *place, __u64 rights)
{
    struct stat info;
    struct landlock_path_beneath_attr beneath = {.parent_fd = open(place, O_PATH | O_CLOEXEC)};
    if (beneath.parent_fd < 0)
        return;
    bool folder = fstat(beneath.parent_fd, &info) == 0 && S_ISDIR(info.st_mode);
    beneath.allowed_access = folder ? rights : rights & OF_A_FILE;
    syscall(SYS_landlock_add_rule, set, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
    close(beneath.parent_fd);
}

bool seal_files(const char *const readable[], const char *writable)
{
    long version =
        syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return false;
    struct rules rules = {all_rights(version), version >= 4 ? 3 : 0, version >= 6 ? 3 : 0};
    size_t size = version >= 6   ? sizeof rules
                  : version >= 4 ? 2 * sizeof(__u64)
                                 : sizeof(__u64);
    int set = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
    if (set < 0)
        return false;
    for (int i = 0; readable[i]; i++)
        allow(set, readable[i], READING);
    if (writable)
        allow(set, writable, rules.files);
    allow(set, "/dev/null", LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE);
    bool sealed = syscall(SYS_landlock_restrict_self, set, 0) == 0;
    close(set);
    return sealed;
}

/* ---- system calls ---- */

#if defined(__x86_64__)
#define HERE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define HERE AUDIT_ARCH_AARCH64
#endif
#endif

#ifdef HERE
/* Tests one call after the other: a listed call is allowed, with the arguments given there;
 * everything else fails. */
#define LOAD(field)         BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define LET_THROUGH         BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define FAIL(error)         BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
#define UNLESS_EQUAL(x, by) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (x), 0, (by))
#define CALL(number)        UNLESS_EQUAL(number, 1), LET_THROUGH
/* Compares an argument's lower half; the kernel ignores the upper half of these. */
#define CALL_WITH(number, argument, value)                                                     \
    UNLESS_EQUAL(number, 4), LOAD(args[argument]), UNLESS_EQUAL((value), 1), LET_THROUGH,      \
        FAIL(EPERM)

bool seal_calls(void)
{
    struct sock_filter filter[] = {
        LOAD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, HERE, 1, 0), FAIL(EPERM), LOAD(nr),
        /* files that are open already */
        CALL(SYS_read), CALL(SYS_write), CALL(SYS_writev), CALL(SYS_close), CALL(SYS_lseek),
        CALL(SYS_fstat), CALL_WITH(SYS_fcntl, 1, F_GETFL), CALL_WITH(SYS_ioctl, 1, TCGETS),
        /* memory, of a kind that counts against the limits */
        UNLESS_EQUAL(SYS_mmap, 4), LOAD(args[3]),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_SHARED, 1, 0), LET_THROUGH, FAIL(EPERM),
        CALL(SYS_munmap), CALL(SYS_mremap), CALL(SYS_mprotect), CALL(SYS_madvise),
        CALL(SYS_mincore), CALL(SYS_brk), CALL(SYS_mbind),
        /* threads; the library tries clone3 first, whose flags a filter cannot read */
        UNLESS_EQUAL(SYS_clone3, 1), FAIL(ENOSYS), UNLESS_EQUAL(SYS_clone, 4), LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1), LET_THROUGH, FAIL(EPERM),
        CALL(SYS_futex), CALL(SYS_set_robust_list), CALL(SYS_rseq), CALL(SYS_sched_yield),
        CALL(SYS_sched_getaffinity), CALL(SYS_gettid), CALL(SYS_getpid), CALL(SYS_exit),
        CALL(SYS_exit_group), CALL(SYS_rt_sigaction), CALL(SYS_rt_sigprocmask),
        CALL(SYS_rt_sigreturn), CALL(SYS_sigaltstack),
        CALL_WITH(SYS_tgkill, 0, (unsigned)getpid()), CALL(SYS_restart_syscall),
        /* time, and what the machine has */
        CALL(SYS_clock_gettime), CALL(SYS_clock_getres), CALL(SYS_clock_nanosleep),
        CALL(SYS_nanosleep), CALL(SYS_gettimeofday), CALL(SYS_getrusage), CALL(SYS_getrandom),
        CALL(SYS_getcpu), CALL(SYS_sysinfo), CALL(SYS_uname), CALL(SYS_getcwd), FAIL(EPERM)};
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}
#else
#ifndef LANDLOCK_CREATE_RULESET_VERSION
bool seal_files(const char *const readable[], const char *writable)
{
    (void)readable, (void)writable;
    return false;
}
#endif
bool seal_calls(void) { return false; }
#endif
