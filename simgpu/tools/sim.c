/* SPDX-License-Identifier: MIT */
/** @file sim.c
 * Builds any stand-alone CUDA C/C++ program for the simulated GPU and runs it, as
 * `./ladder sim` does. usage() says how.
 *
 * Each .cu file is rewritten (rewrite.c) and compiled with the tracer's flags; other sources
 * are compiled unchanged. The compiler's messages are shown without the simulator's parts. The
 * paths and flags come from CMake (simgpu.cmake), as SIM_... macros.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

enum { USAGE = 2, RESOURCE = 3, MOST = 512, MEBIBYTE = 1 << 20 };

struct list {
    const char *items[MOST];
    int count;
};

static struct list sources, objects, user_flags, link_flags, include_flags;
static char scratch[PATH_MAX];
/* The folders of the parts: where they were built, or next to the installed program. */
static const char *own_headers = SIM_INCLUDE, *made_headers = SIM_MADE_HEADERS,
                  *rewriter = SIM_REWRITE, *library = SIM_LIBRARY, *standalone = SIM_STANDALONE,
                  *precompiled = SIM_PRECOMPILED, *prefix_map;
static const char *standard = "-std=gnu++17";
static bool only_compile, all_cuda;
static bool own_thrust; /* the user's folders have Thrust: a part of it is the simulator's */
static const char *self = "ladder sim"; /* the installed program has its own name */

static void usage(FILE *out)
{
    fprintf(out,
            "Compiles a CUDA program for the simulated GPU, runs it, and names its mistakes.\n"
            "\n"
            "  %s [options] file.cu... [--] [arguments of the program]\n"
            "\n",
            self);
    fputs(
        "The program is compiled as nvcc would do it: <cuda_runtime.h> need not be\n"
        "included, and assert() is checked. Several .cu, .c and .cpp files make one program.\n"
        "Every access of its kernels is checked: bounds, alignment, races, barriers, memory\n"
        "that was never written.\n"
        "\n"
        "  --gpu c1060|modern  counts transactions by the rules of this GPU (default modern)\n"
        "  --report            prints accesses and transactions of each source line\n"
        "  --json FILE         writes the counts of each line and the faults as JSON\n"
        "  --profile[=FILE]    prints a profile made from counts: as text, or in\n"
        "                      FILE.json or FILE.html (one page with the annotated source)\n"
        "  --roofline GPU      the GPU of the profile's roofline: h100, a100, rtx4090, c1060\n"
        "  --flops F           floating-point operations of the program, for the arithmetic\n"
        "                      intensity\n"
        "  --registers R       registers per thread, as nvcc -Xptxas -v prints them: for the\n"
        "                      profile's occupancy, and to refuse launches that need more\n"
        "                      registers than there are\n"
        "  --shuffle S         runs blocks and threads in an order shuffled by S\n"
        "  --seed S            calls srand(S) before main\n"
        "  --limit SECONDS     stops a kernel if none of its blocks ends in this time "
        "(default\n"
        "                      10; 0: no limit)\n"
        "  --budget SECONDS    after this time of checking, only the first launches of each\n"
        "                      kernel and shape are checked; the end reports what was not\n"
        "                      checked (default 5)\n"
        "  --all               checks every launch, however long it takes\n"
        "  --multiprocessors M the simulated GPU has M of them: fewer blocks fit on it at the\n"
        "                      same time\n"
        "  --leaks             memory that is never freed is a fault too\n"
        "  -c                  compiles only: for sources without a main()\n"
        "  --output FILE, -o FILE  keeps the program, with -c the object, as FILE instead of\n"
        "                      running it. Objects (.o) and libraries (.a) may be given with\n"
        "                      the sources, so that sim can replace nvcc in a Makefile\n"
        "  -I -D -U -std= -O -l -L -fopenmp  go to the compiler; options that only nvcc knows\n"
        "                      (-arch, -gencode, -lineinfo ...) are ignored\n"
        "\n"
        "Exit status: that of the program; 1 if a fault was found; 2 if the program does not\n"
        "compile or an option is wrong; 3 if something is missing. docs/simulated-gpu.md "
        "lists\n"
        "what the simulated GPU lacks.\n",
        out);
}

static void die(int status, const char *what, const char *which)
{
    fprintf(stderr, "%s: %s%s\n", self, what, which);
    exit(status);
}

static void add(struct list *list, const char *item)
{
    if (list->count == MOST - 1)
        die(USAGE, "too many arguments at ", item);
    list->items[list->count++] = item;
}

static void add_words(struct list *list, const char *words)
{
    char *copy = strdup(words);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        add(list, word);
}

static char *join(const char *a, const char *b, const char *c)
{
    size_t size = strlen(a) + strlen(b) + strlen(c) + 1;
    char *s = malloc(size);
    if (!s)
        die(RESOURCE, "out of memory", "");
    snprintf(s, size, "%s%s%s", a, b, c);
    return s;
}

/** bin/simgpu finds its parts in lib/simgpu. Source lines in its headers keep the path by which
 * the library knows them. */
static void find_parts(void)
{
    char program[PATH_MAX], root[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(program, '/');
    if (!slash)
        return;
    *slash = '\0';
    if (!realpath(join(program, "/../lib/simgpu", ""), root) ||
        access(join(root, "/include/cuda_runtime_api.h", ""), R_OK) != 0)
        return;
    own_headers = join(root, "/include", "");
    made_headers = join(root, "/made", "");
    rewriter = join(root, "/rewrite", "");
    library = join(root, "/libsimgpu.a", "");
    standalone = join(root, "/standalone.o", "");
    precompiled = join(root, "/precompiled", "");
    self = "simgpu";
    prefix_map = join("-fdebug-prefix-map=", own_headers, "=" SIM_INCLUDE);
    setenv("SIMGPU_OWN_HEADERS", join(own_headers, "/", ""), 1);
}

static bool interrupts; /* Ctrl-C ends the command that runs; we remove the scratch folder */

/** Runs a command and returns the status of waitpid(). */
static int wait_status(const struct list *command)
{
    const char *arguments[MOST];
    memcpy(arguments, command->items, sizeof arguments);
    arguments[command->count] = NULL;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (interrupts)
            signal(SIGINT, SIG_DFL);
        execvp(arguments[0], (char *const *)arguments);
        fprintf(stderr, "%s: cannot run %s: %s\n", self, arguments[0], strerror(errno));
        _exit(RESOURCE);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0)
        die(RESOURCE, "cannot start ", arguments[0]);
    return status;
}

/** Runs a command and waits; returns its exit status, or 128 + its signal. */
static int run(const struct list *command)
{
    int status = wait_status(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/** Runs the program. It has reported the faults of its kernels itself; a crash of its host code
 * is reported here. */
static int run_program(const struct list *command)
{
    int status = wait_status(command);
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    if (WTERMSIG(status) != SIGINT)
        fprintf(stderr,
                "%s: the program's host code was ended by signal %d (%s). To see where: keep "
                "the\n"
                "  program with --output FILE, and run gdb FILE.\n",
                self, WTERMSIG(status), strsignal(WTERMSIG(status)));
    return 128 + WTERMSIG(status);
}

/* ---- the compiler's messages, in the user's lines ---- */

static bool of_the_simulator(const char *line)
{
    return strstr(line, join(own_headers, "/", "")) ||
           strstr(line, join(made_headers, "/", ""));
}

/** Keeps the place FILE:LINE with which a line begins, or which it names after "from". */
static void keep_place(const char *line, char *place, size_t size)
{
    const char *from = strstr(line, "from ");
    if (from && strspn(line, " In fileinclud") >= (size_t)(from - line))
        line = from + 5;
    const char *colon = strchr(line, ':');
    if (!colon)
        return;
    size_t length = (size_t)(colon - line) + 1;
    length += strspn(colon + 1, "0123456789");
    snprintf(place, size, "%.*s", (int)length, line);
}

/** tell_launch() for Clang, whose error names what the kernel takes; a note says what is wrong.
 */
static bool tell_launch_clang(const char *line)
{
    const char *launch = strstr(line, "no matching function for call to object of type");
    const char *takes = launch ? strstr(launch, "prepared_launch<") : NULL,
               *end = takes ? strstr(takes, ">'") : NULL;
    char place[PATH_MAX + 16] = "";
    if (!end)
        return false;
    keep_place(line, place, sizeof place);
    takes += strlen("prepared_launch<");
    fprintf(stderr, "%s: error: the launch does not fit the kernel, which takes (%.*s)\n",
            place, (int)(end - takes), takes);
    return true;
}

/** Explains a launch whose arguments do not fit. To the compiler it is a call inside the
 * simulator that fails; the user knows only the kernel. */
static bool tell_launch(const char *line)
{
    if (tell_launch_clang(line))
        return true;
    const char *launch = strstr(line, "prepared_launch<"),
               *error = strstr(line, ": error: no match");
    if (!launch || !error)
        return false;
    const char *takes = launch + strlen("prepared_launch<"), *end = strstr(takes, ">)");
    const char *given = end ? strchr(end + 2, '(') : NULL;
    char place[PATH_MAX + 16] = "";
    keep_place(line, place, sizeof place);
    if (!given)
        return false;
    fprintf(stderr, "%s: error: the launch passes %.*s, but the kernel takes (%.*s)\n", place,
            (int)(strcspn(given, ")") + 1), given, (int)(end - takes), takes);
    return true;
}

/** Shows a line of the compiler's without the beginning that rewrite.c gives to the names of
 * dynamic shared memory. */
static void show_line(const char *line)
{
    static const char own[] = "simgpu_dynamic_";
    for (const char *at; (at = strstr(line, own)); line = at + strlen(own))
        fprintf(stderr, "%.*s", (int)(at - line), line);
    fputs(line, stderr);
}

static void tell_refusal(const char *place, char *refusal)
{
    fprintf(stderr, "%s: error: %s\n", place, refusal);
    refusal[0] = '\0';
}

/** Shows the compiler's messages in `file` without the simulator's own headers in them. Returns
 * whether that left an error. */
static bool show_messages(FILE *file)
{
    char *line = NULL, place[PATH_MAX + 16] = "", refusal[512] = "";
    size_t size = 0;
    bool shown = false;
    bool hidden = false; /* the current message is not shown */
    bool launch = false; /* tell_launch() has explained it */
    while (getline(&line, &size, file) > 0) {
        /* GCC names the user's line before a refusal, Clang in a note after it. */
        if (refusal[0]) {
            bool requested = strstr(line, "requested here") && !of_the_simulator(line);
            if (requested)
                keep_place(line, place, sizeof place);
            else if (strstr(line, ": note:") && of_the_simulator(line))
                continue;
            tell_refusal(place, refusal);
            if (requested)
                continue;
        }
        bool included =
            strstr(line, "In file included from") || strncmp(line, "        ", 8) == 0;
        const char *sentence = strstr(line, "simgpu: ");
        if (strstr(line, "required from here") || (included && strstr(line, "from "))) {
            if (!of_the_simulator(line) && !strstr(line, "<command-line>"))
                keep_place(line, place, sizeof place);
        } else if (sentence && strstr(line, "error:")) {
            if (!of_the_simulator(line)) /* from the rewriter, or in the user's own line */
                keep_place(line, place, sizeof place);
            snprintf(refusal, sizeof refusal, "%.*s", (int)strcspn(sentence, "\"\n"), sentence);
            hidden = shown = true;
        } else if (tell_launch(line)) {
            keep_place(line, place, sizeof place);
            launch = hidden = shown = true;
        } else if (launch && strstr(line, "not viable: ")) { /* Clang */
            fprintf(stderr, "%s: note: %s", place,
                    strstr(line, "not viable: ") + strlen("not viable: "));
        } else if (strstr(line, ": error:") || strstr(line, ": note:") ||
                   strstr(line, "warning:") || strstr(line, ": In ") ||
                   strstr(line, "fatal error:")) {
            hidden =
                of_the_simulator(line) || strstr(line, "simgpu::") || strstr(line, "warning:");
            launch = false;
            if (!hidden)
                show_line(line);
            shown |= !hidden && strstr(line, "error:");
        } else if (!hidden && !(strstr(line, "required from") && strstr(line, "simgpu"))) {
            /* The columns marked under a source line would be those of the rewritten text. */
            size_t blank = strspn(line, " ");
            if (!(line[blank] == '|' && blank > 3))
                fputs(line, stderr);
        }
    }
    if (refusal[0])
        tell_refusal(place, refusal);
    free(line);
    return shown;
}

/** Shows all messages, if the errors are in the simulator's headers alone. */
static void show_everything(FILE *file)
{
    rewind(file);
    for (int c; (c = getc(file)) != EOF;)
        putc(c, stderr);
}

/** Shows which functions return no value where they should, as nvcc does. */
static void show_missing_returns(FILE *file)
{
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, file) > 0)
        if (strstr(line, "[-Wreturn-type]") && !of_the_simulator(line))
            show_line(line);
    free(line);
}

/** Runs the compiler, and shows its messages if it fails. */
static int run_compiler(const struct list *command)
{
    FILE *messages = tmpfile();
    int keep_stderr = dup(2);
    if (!messages || keep_stderr < 0)
        die(RESOURCE, "no place for the compiler's messages", "");
    fflush(NULL);
    dup2(fileno(messages), 2);
    int status = run(command);
    fflush(NULL);
    dup2(keep_stderr, 2);
    close(keep_stderr);
    rewind(messages);
    if (status == 0)
        show_missing_returns(messages);
    else if (!show_messages(messages))
        show_everything(messages);
    fclose(messages);
    return status;
}

static void clean_up(void)
{
    if (!scratch[0])
        return;
    struct list command = {.items = {"rm", "-rf", scratch}, .count = 3};
    run(&command);
}

static bool ends(const char *text, const char *suffix)
{
    size_t a = strlen(text), b = strlen(suffix);
    return a > b && strcmp(text + a - b, suffix) == 0;
}

static bool is_source(const char *name)
{
    return ends(name, ".cu") || ends(name, ".cpp") || ends(name, ".cc") || ends(name, ".cxx") ||
           ends(name, ".c");
}

/** Checks that a source is a readable file whose path fits on one line of a message. */
static void check_source(const char *name)
{
    struct stat there;
    char *path = realpath(name, NULL);
    if (!path || stat(path, &there) != 0 || !S_ISREG(there.st_mode) || access(path, R_OK) != 0)
        die(USAGE, "cannot read ", name);
    if (strchr(path, '\n'))
        die(USAGE, "this path has a line's end in it; rename the folder or the file: ", path);
    free(path);
}

/** Checks before the program runs that its result can be written. */
static void check_result(const char *name)
{
    bool there = access(name, F_OK) == 0;
    FILE *file = fopen(name, "a");
    if (!file)
        die(RESOURCE, "cannot write ", name);
    fclose(file);
    if (!there)
        unlink(name);
}

/** The compiler or the linker has failed and said why. It is a mistake in the source unless the
 * disk is full. */
static void give_up(const char *file)
{
    char folder[PATH_MAX];
    struct statvfs disk;
    snprintf(folder, sizeof folder, "%s", file);
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    if (statvfs(slash ? folder : ".", &disk) == 0 && disk.f_bavail < MEBIBYTE / disk.f_frsize)
        die(RESOURCE, "the disk is full: ", slash ? folder : ".");
    exit(USAGE);
}

/** Compiles one source into `object`, or into the scratch folder; returns the object's name. */
static const char *compile(const char *source, int number, const char *object)
{
    char name[32];
    snprintf(name, sizeof name, "/%d", number);
    if (!object)
        object = join(scratch, name, ".o");
    struct list command = {0};
    if (all_cuda || ends(source, ".cu")) {
        char *rewritten = join(scratch, name, ".cpp");
        add(&command, rewriter);
        for (int i = 0; i < include_flags.count; i++)
            add(&command, include_flags.items[i]);
        add(&command, "-o");
        add(&command, rewritten);
        add(&command, source);
        if (run(&command) != 0)
            exit(USAGE);
        command.count = 0;
        add(&command, SIM_CXX);
        add(&command, standard);
        add_words(&command, SIM_FLAGS " " SIM_TRACED_FLAGS " " SIM_DEFINES);
        add(&command, join("-I", precompiled, ""));
        if (prefix_map)
            add(&command, prefix_map);
        add_words(&command, "-x c++ -include simgpu/standalone.h");
        source = rewritten;
    } else {
        bool c = ends(source, ".c");
        add(&command, c ? SIM_CC : SIM_CXX);
        if (!c)
            add(&command, standard);
        add_words(&command, "-g -O2 -w -DSIMGPU_HOST_SOURCE=1");
    }
    if (own_thrust)
        add(&command, join("-I", own_headers, ""));
    for (int i = 0; i < user_flags.count; i++)
        add(&command, user_flags.items[i]);
    add(&command, join("-I", own_headers, ""));
    add(&command, join("-I", made_headers, ""));
    add(&command, "-c");
    add(&command, source);
    add(&command, "-o");
    add(&command, object);
    if (run_compiler(&command) != 0)
        give_up(object);
    return object;
}

static void build(const char *program)
{
    struct list command = {0};
    add(&command, SIM_CXX);
    for (int i = 0; i < sources.count; i++)
        add(&command, compile(sources.items[i], i, NULL));
    for (int i = 0; i < objects.count; i++)
        add(&command, objects.items[i]);
    add(&command, standalone);
    add(&command, "-o");
    add(&command, program);
    add(&command, "-Wl,--wrap=free,--wrap=_ZdlPv,--wrap=_ZdaPv,--wrap=_ZdlPvm,--wrap=_ZdaPvm");
    add(&command, "-Wl,--wrap=printf,--wrap=__printf_chk,--wrap=puts,--wrap=putchar");
    add(&command, "-Wl,--no-as-needed");
    add(&command, library);
    for (int i = 0; i < link_flags.count; i++)
        add(&command, link_flags.items[i]);
    add_words(&command, "-pthread -ldl -lm " SIM_LINKER);
    if (run(&command) != 0)
        give_up(program);
}

/** The value of an option, from the next word or after a `=`. */
static const char *value_of(char **argv, int argc, int *i, const char *option)
{
    size_t length = strlen(option);
    if (strncmp(argv[*i], option, length) == 0 && argv[*i][length] == '=')
        return argv[*i] + length + 1;
    if (strcmp(argv[*i], option) != 0)
        return NULL;
    if (*i + 1 >= argc)
        die(USAGE, option, " needs a value");
    return argv[++*i];
}

static void take_number(const char *option, const char *text, const char *variable)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || value < 0) {
        fprintf(stderr, "%s: %s takes a number, 0 or larger, not '%s'\n", self, option, text);
        exit(USAGE);
    }
    setenv(variable, text, 1);
}

/** Does an option begin with one of these words? `length` gets that word's length. */
static bool begins_with(const char *option, const char *words, size_t *length)
{
    for (; *words; words += *length, words += strspn(words, " ")) {
        *length = strcspn(words, " ");
        if (strncmp(option, words, *length) == 0)
            return true;
    }
    return false;
}

/** Skips an option that only nvcc knows, with its value; false if it is another option. */
static bool only_nvcc(char **argv, int argc, int *i)
{
    static const char *const alone =
        "-lineinfo -G -rdc --relocatable-device-code -MD -MMD -MP -m64 "
        "--resource-usage -allow-unsupported-compiler --expt- --extended-lambda "
        "-extended-lambda -use_fast_math --use_fast_math --ptxas -cudart "
        "--generate-line-info --fmad -f -m -W -w -pthread";
    static const char *const with_value =
        "-arch -gencode --gpu-architecture --generate-code -Xptxas -Xcompiler -code "
        "-maxrregcount --compiler-options -ccbin -MF -MT -Xlinker --diag-suppress "
        "-diag-suppress --default-stream -default-stream --threads --Werror";
    const char *option = argv[*i];
    size_t length;
    if (strcmp(option, "-Werror") == 0) { /* nvcc's has a value: all-warnings and others */
        if (*i + 1 < argc && argv[*i + 1][0] != '-' && !is_source(argv[*i + 1]))
            ++*i;
        return true;
    }
    if (begins_with(option, with_value, &length)) {
        if (!option[length] && *i + 1 < argc)
            ++*i;
        return true;
    }
    return begins_with(option, alone, &length);
}

/** Takes one option before the program's own arguments. */
static void take_option(char **argv, int argc, int *i, const char **output)
{
    static const char *const numbers[][2] = {
        {"--shuffle", "SIMGPU_SHUFFLE"}, {"--seed", "SIMGPU_SEED"},
        {"--limit", "SIMGPU_LIMIT"},     {"--registers", "SIMGPU_REGISTERS"},
        {"--flops", "SIMGPU_FLOPS"},     {"--multiprocessors", "SIMGPU_MULTIPROCESSORS"},
        {"--budget", "SIMGPU_BUDGET"}};
    const char *option = argv[*i], *value;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if ((value = value_of(argv, argc, i, numbers[k][0]))) {
            take_number(numbers[k][0], value, numbers[k][1]);
            return;
        }
    if (strcmp(option, "-o") == 0)
        option = argv[*i] = "--output";
    if ((value = value_of(argv, argc, i, "--gpu"))) {
        if (strcmp(value, "c1060") && strcmp(value, "modern"))
            die(USAGE, "--gpu takes c1060 or modern, not ", value);
        setenv("SIMGPU_GPU", value, 1);
    } else if ((value = value_of(argv, argc, i, "--roofline"))) {
        if (!strstr(" h100 a100 rtx4090 c1060 ", join(" ", value, " ")))
            die(USAGE, "--roofline takes h100, a100, rtx4090 or c1060, not ", value);
        setenv("SIMGPU_ROOFLINE", value, 1);
    } else if ((value = value_of(argv, argc, i, "--output"))) {
        *output = value;
        check_result(value);
    } else if ((value = value_of(argv, argc, i, "--json"))) {
        check_result(value);
        setenv("SIMGPU_JSON", value, 1);
    } else if (strcmp(option, "--report") == 0) {
        setenv("SIMGPU_REPORT", "1", 1);
    } else if (strcmp(option, "--all") == 0) {
        setenv("SIMGPU_ALL", "1", 1);
    } else if (strcmp(option, "-c") == 0 || strcmp(option, "-dc") == 0) {
        only_compile = true;
    } else if ((value = value_of(argv, argc, i, "-x"))) {
        all_cuda = strcmp(value, "cu") == 0;
    } else if (strcmp(option, "--leaks") == 0) {
        setenv("SIMGPU_LEAKS", "1", 1);
    } else if (strcmp(option, "--profile") == 0) {
        setenv("SIMGPU_PROFILE", "text", 1);
    } else if (strncmp(option, "--profile=", 10) == 0) {
        if (!ends(option, ".json") && !ends(option, ".html"))
            die(USAGE, "--profile=FILE wants a name that ends in .json or .html, not ",
                option + 10);
        check_result(option + 10);
        setenv("SIMGPU_PROFILE", option + 10, 1);
    } else if (strncmp(option, "-I", 2) == 0 || strncmp(option, "-D", 2) == 0 ||
               strncmp(option, "-U", 2) == 0) {
        if (!option[2] && *i + 1 < argc) { /* -I dir */
            char *both = join(option, argv[++*i], "");
            option = both;
        }
        add(&user_flags, option);
        if (option[1] == 'I') {
            add(&include_flags, option);
            own_thrust |= access(join(option + 2, "/thrust/version.h", ""), R_OK) == 0;
        }
    } else if (strcmp(option, "-fopenmp") == 0 ||
               (strcmp(option, "-Xcompiler") == 0 && *i + 1 < argc &&
                strstr(argv[*i + 1], "-fopenmp"))) {
        *i += option[1] == 'X';
        add(&user_flags, "-fopenmp");
        add(&link_flags, "-fopenmp");
    } else if ((value = value_of(argv, argc, i, "-std")) ||
               (value = value_of(argv, argc, i, "--std"))) {
        standard = join("-std=", value, "");
    } else if (only_nvcc(argv, argc, i)) { /* -lineinfo is no library */
        return;
    } else if (strncmp(option, "-O", 2) == 0 || strcmp(option, "-g") == 0) {
        return; /* the tracer's level is part of the measurement */
    } else if (strncmp(option, "-lcu", 4) == 0) {
        return; /* CUDA's libraries are part of the simulator */
    } else if (strncmp(option, "-l", 2) == 0 || strncmp(option, "-L", 2) == 0) {
        add(&link_flags, option);
    } else {
        die(USAGE,
            "no such option (see --help; the options of your program go after --): ", option);
    }
}

int main(int argc, char **argv)
{
    const char *output = NULL;
    int i = 1;
    setenv("SIMGPU_GPU", "modern", 0);
    find_parts();
    for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            usage(stdout);
            if (fflush(stdout) != 0)
                die(RESOURCE, "standard output cannot be written", "");
            return 0;
        }
        if (argv[i][0] == '-')
            take_option(argv, argc, &i, &output);
        else if (is_source(argv[i]))
            add(&sources, argv[i]);
        else if (ends(argv[i], ".o") || ends(argv[i], ".a"))
            add(&objects, argv[i]);
        else if (!sources.count && !objects.count)
            die(USAGE, "a source file ends in .cu, .c or .cpp; this one does not: ", argv[i]);
        else
            break; /* the program's arguments */
    }
    if (i < argc && strcmp(argv[i], "--") == 0)
        i++;
    if (!sources.count && !objects.count) {
        usage(stderr);
        return USAGE;
    }
    for (int s = 0; s < sources.count; s++)
        check_source(sources.items[s]);
    for (int s = 0; s < objects.count; s++)
        check_source(objects.items[s]);
    interrupts = signal(SIGINT, SIG_IGN) != SIG_IGN;
    const char *tmp = getenv("TMPDIR");
    snprintf(scratch, sizeof scratch, "%s/ladder-sim-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(scratch))
        die(RESOURCE, "cannot make a folder in ", tmp && *tmp ? tmp : "/tmp");
    atexit(clean_up);
    if (only_compile && output && sources.count != 1)
        die(USAGE, "-c with --output takes one source, for ", output);
    for (int s = 0; only_compile && s < sources.count; s++)
        compile(sources.items[s], s, output);
    if (only_compile)
        return 0;
    if (output) {
        build(output);
        return 0;
    }
    char *program = join(scratch, "/program", "");
    build(program);
    struct list command = {0};
    add(&command, program);
    for (; i < argc; i++)
        add(&command, argv[i]);
    return run_program(&command);
}
