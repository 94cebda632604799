/* SPDX-License-Identifier: MIT */
/** @file wasi.h
 * The parts of POSIX that the lab and the checker use and a web page lacks. build.mjs includes
 * it before all their sources, and in place of missing headers (<glob.h>, <elf.h>). Where a
 * call does nothing here, the page does not need it.
 */
#ifndef DOCS_SITE_PLAYGROUND_SOURCES_WASI_H
#define DOCS_SITE_PLAYGROUND_SOURCES_WASI_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define CLOCK_PROCESS_CPUTIME_ID CLOCK_MONOTONIC
#define SYS_gettid               0
#define syscall(number)          0L
#define mmap(...)                ((void *)-1)
#define munmap(...)              (-1)
enum { PROT_NONE, MAP_PRIVATE = 2, MAP_FIXED = 16, MAP_ANONYMOUS = 32 };
#define MAP_FAILED             ((void *)-1)
#define TIOCGWINSZ             0
#define sched_getaffinity(...) (-1)
#define CPU_COUNT(set)         1
#define popen(...)             NULL
#define pclose(stream)         (-1)
#define mkdtemp(name)          (mkdir(strcpy(strstr(name, "lab.XXXXXX"), "lab"), 0777), name)
#define glob(...)              1
#define globfree(found)        ((void)(found))
#define statvfs(path, disk)    (-1)
#define getrlimit(which, most) (-1)

typedef struct cpu_set_t {
    int none;
} cpu_set_t; /* some C++ headers declare the structure */
struct winsize {
    int ws_col;
};
typedef struct {
    void *si_addr;
} siginfo_t;
typedef struct {
    void *ss_sp;
    unsigned long ss_size;
} stack_t;
struct sigaction {
    void (*sa_handler)(int);
    void (*sa_sigaction)(int, siginfo_t *, void *);
    int sa_flags;
};
enum { SA_SIGINFO = 1, SA_ONSTACK = 2, SA_RESETHAND = 4 };
#define sigaltstack(...)        (-1)
#define backtrace(frames, most) 0
#define sigaction(...)          (-1)
typedef struct {
    char **gl_pathv;
    size_t gl_pathc;
} glob_t;
struct statvfs {
    uint64_t f_bavail, f_frsize;
};
#define RLIMIT_FSIZE 0
struct rlimit {
    uint64_t rlim_cur;
};

/* Where a program begins. Addresses of its code are no numbers here: backtrace() finds none. */
static const char __executable_start __attribute__((unused)) = 0;

/* The browser already confines the programs of a page. */
static inline bool seal_calls(void) { return 0; }

/* ---- <elf.h>: lab.mjs writes the symbols of an object file in this form ---- */

#define ELFMAG  "\177ELF"
#define SELFMAG 4
enum {
    EI_CLASS = 4,
    ELFCLASS64 = 2,
    SHT_SYMTAB = 2,
    SHF_WRITE = 1,
    SHF_ALLOC = 2,
    SHF_EXECINSTR = 4
};
enum { STB_LOCAL, STB_WEAK = 2, SHN_UNDEF = 0, STT_OBJECT = 1, STT_GNU_IFUNC = 10 };
#define ELF64_ST_BIND(info) ((info) >> 4)
#define ELF64_ST_TYPE(info) ((info)&15)
typedef struct {
    unsigned char e_ident[16];
    uint16_t e_type, e_machine;
    uint32_t e_version;
    uint64_t e_entry, e_phoff, e_shoff;
    uint32_t e_flags;
    uint16_t e_ehsize, e_phentsize, e_phnum, e_shentsize, e_shnum, e_shstrndx;
} Elf64_Ehdr;
typedef struct {
    uint32_t sh_name, sh_type;
    uint64_t sh_flags, sh_addr, sh_offset, sh_size;
    uint32_t sh_link, sh_info;
    uint64_t sh_addralign, sh_entsize;
} Elf64_Shdr;
typedef struct {
    uint32_t st_name;
    unsigned char st_info, st_other;
    uint16_t st_shndx;
    uint64_t st_value, st_size;
} Elf64_Sym;

#endif
