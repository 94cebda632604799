/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* sched_getaffinity, syscall */
#include "common/device/host.h"
#include "common/device/timer.h"

#include <dirent.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>

bool host_read(char *value, size_t size, const char *name, const char *path, ...)
{
    char file_name[512], line[4096];
    va_list arguments;
    va_start(arguments, path);
    vsnprintf(file_name, sizeof file_name, path, arguments);
    va_end(arguments);
    FILE *file = fopen(file_name, "r");
    *value = '\0';
    while (file && !*value && fgets(line, sizeof line, file))
        if (strncmp(line, name, strlen(name)) == 0)
            snprintf(value, size, "%s", line + strlen(name));
    if (file)
        fclose(file);
    return *value;
}

const char *host_processor(void)
{
    static char name[128];
    char line[192];
    if (*name)
        return name;
    if (host_read(line, sizeof line, "model name", "/proc/cpuinfo"))
        sscanf(line, "%*[^:]: %127[^\n]", name);
    struct utsname machine;
    if (!*name && uname(&machine) == 0)
        snprintf(name, sizeof name, "%.100s processor", machine.machine);
    return name;
}

int host_processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
    long online = sysconf(_SC_NPROCESSORS_ONLN); /* for more than fit in a cpu_set_t */
    return online > 0 ? (int)online : 1;
}

/* True while a thread of a process runs, or waits for a core; its first one and the calling one
   do not count. */
static bool others_run(int process)
{
    char path[64], line[128], which[16] = "self";
    if (process)
        snprintf(which, sizeof which, "%d", process);
    snprintf(path, sizeof path, "/proc/%s/task", which);
    DIR *tasks = opendir(path);
    bool found = false;
    for (struct dirent *task; !found && tasks && (task = readdir(tasks));) {
        long id = atol(task->d_name); /* 0: "." or ".." */
        if (id == 0 || id == process || id == syscall(SYS_gettid))
            continue;
        host_read(line, sizeof line, "", "/proc/%s/task/%s/stat", which, task->d_name);
        const char *name_end = strrchr(line, ')');
        found = name_end && strncmp(name_end, ") R", 3) == 0; /* "17 (name) R ..." */
    }
    if (tasks)
        closedir(tasks);
    return found;
}

bool let_threads_sleep(int process)
{
    const struct timespec pause = {0, 200000};
    const double longest =
        timer_now() + 1000; /* with OMP_WAIT_POLICY=active they never sleep */
    bool run;
    while ((run = others_run(process)) && timer_now() < longest)
        nanosleep(&pause, NULL);
    return !run;
}

size_t host_memory_available(void)
{
    char kib[64];
    if (host_read(kib, sizeof kib, "MemAvailable:", "/proc/meminfo"))
        return (size_t)atol(kib) * 1024;
    long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && bytes > 0 ? (size_t)pages * (size_t)bytes : (size_t)1 << 30;
}

const char *readable_bytes(double bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
    static _Thread_local char text[2][32];
    static _Thread_local int which;
    int unit = 0;
    for (; bytes >= 1024 && unit < 5; unit++)
        bytes /= 1024;
    which = !which;
    snprintf(text[which], sizeof text[which], unit ? "%.2f %s" : "%.0f %s", bytes, units[unit]);
    return text[which];
}

int terminal_columns(FILE *file)
{
    struct winsize window;
    int number = fileno(file);
    return isatty(number) && ioctl(number, TIOCGWINSZ, &window) == 0 ? window.ws_col : 0;
}

/* Where a line of more than `room` columns is broken; `from` is its first word. */
static int break_of(const char *line, int from, int room)
{
    int cut = 0;
    for (int at = room; at > from; at--) {
        if (line[at] != ' ')
            continue;
        if (at > room / 2 && strchr(".;", line[at - 1]))
            return at;
        cut = cut ? cut : at;
    }
    return cut ? cut
               : from + (int)strcspn(line + from, " "); /* the first word alone is longer */
}

/* Where the lines after a broken one begin: below the last column of a table, which follows two
   blanks and begins in the first 30 columns, otherwise four columns further right. */
static int indent_of(const char *line)
{
    int margin = (int)strspn(line, " "), indent = margin + 4;
    for (int at = margin; line[at] && at < 30; at++)
        if (at - 2 > margin && line[at] != ' ' && strncmp(line + at - 2, "  ", 2) == 0)
            indent = at;
    return indent;
}

/* Appends a line to `out`, and what does not fit into it to the lines after it. */
static void say_line(FILE *out, int columns, const char *line)
{
    int indent = indent_of(line), before = 0, from = indent > 4 ? indent : 0;
    for (; (int)strlen(line) > columns - before; before = indent, from = 0) {
        int cut = break_of(line, from, columns - before);
        fprintf(out, "%*s%.*s\n", before, "", cut, line);
        line += cut + strspn(line + cut, " ");
    }
    if (*line || before == 0)
        fprintf(out, "%*s%s\n", before, "", line);
}

/* Writes the message in one call, since other processes may print, too. */
static void say_text(FILE *file, int columns, const char *format, va_list arguments)
{
    char text[8192], broken[2 * sizeof text] = "", *rest = text, *line;
    FILE *out = fmemopen(broken, sizeof broken, "w");
    vsnprintf(text, sizeof text, format, arguments);
    while (out && (line = strsep(&rest, "\n")) &&
           (rest || *line)) /* not after the last newline */
        say_line(out, columns > 0 ? columns : 100, line);
    if (out)
        fclose(out);
    fputs(out ? broken : text, file);
}

void say(FILE *file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say_text(file, 0, format, arguments);
    va_end(arguments);
}

void say_within(FILE *file, int columns, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say_text(file, columns, format, arguments);
    va_end(arguments);
}
