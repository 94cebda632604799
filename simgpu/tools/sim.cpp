/* SPDX-License-Identifier: MIT */
/** @file sim.cpp
 * Builds any stand-alone CUDA C/C++ program for the simulated GPU and runs it, as
 * `./ladder sim` does. usage() says how.
 *
 * Each .cu file is rewritten (rewrite.c) and compiled with the tracer's flags; other sources
 * are compiled unchanged. The compiler's messages are shown without the simulator's parts. The
 * paths and flags come from CMake (simgpu.cmake), as SIM_... macros.
 */
#include "messages.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;
using std::string;
using List = std::vector<string>;

enum { USAGE = 2, RESOURCE = 3, MEBIBYTE = 1 << 20 };

static List sources, objects, user_flags, link_flags, include_flags;
static string scratch;
/* The folders of the parts: where they were built, or next to the installed program. */
string own_headers = SIM_INCLUDE, made_headers = SIM_MADE_HEADERS;
static string rewriter = SIM_REWRITE, library = SIM_LIBRARY, standalone = SIM_STANDALONE,
              precompiled = SIM_PRECOMPILED, assembler = SIM_AS, prefix_map;
static string standard = "-std=gnu++17";
static bool only_compile, all_cuda;
static string other, debugged, picture; /* --compare OTHER, --debug LINE, --picture LINE */
static string in_block, in_thread;      /* conditions for gdb */
static bool own_thrust; /* the user's folders have Thrust: a part of it is the simulator's */
static const char *self = "ladder sim"; /* the installed program has its own name */

static const char help[] =
#include "sim.txt"
    ;

static void usage(FILE *out) { fprintf(out, help, self); }

[[noreturn]] static void die(int status, const string &what, const string &which = "")
{
    fprintf(stderr, "%s: %s%s\n", self, what.c_str(), which.c_str());
    exit(status);
}

static void add(List &list, const List &more)
{
    list.insert(list.end(), more.begin(), more.end());
}

static List words(const string &text)
{
    std::istringstream in(text);
    return {std::istream_iterator<string>(in), {}};
}

/** bin/simgpu finds its parts in lib/simgpu. Source lines in its headers keep the path by which
 * the library knows them. */
static void find_parts()
{
    std::error_code error;
    const string root = fs::canonical(
        fs::read_symlink("/proc/self/exe", error).parent_path() / "../lib/simgpu", error);
    if (error || access((root + "/include/cuda_runtime_api.h").c_str(), R_OK) != 0)
        return;
    own_headers = root + "/include";
    made_headers = root + "/made";
    rewriter = root + "/rewrite";
    library = root + "/libsimgpu.a";
    standalone = root + "/standalone.o";
    precompiled = root + "/precompiled";
    assembler = assembler.empty() ? "" : root + "/as/";
    self = "simgpu";
    prefix_map = "-fdebug-prefix-map=" + own_headers + "=" SIM_INCLUDE;
    setenv("SIMGPU_OWN_HEADERS", (own_headers + "/").c_str(), 1);
}

static bool interrupts; /* Ctrl-C ends the command that runs; we remove the scratch folder */
static volatile sig_atomic_t running, ended_by; /* the command, and the signal that ended us */

/** SIGTERM and SIGHUP end the command that runs; then wait_status() ends us, which cleans up.
 */
static void end_command(int number)
{
    ended_by = number;
    if (running > 0)
        kill(running, number);
}

/** Runs a command and returns the status of waitpid(). */
static int wait_status(const List &command)
{
    std::vector<char *> arguments;
    for (const string &word : command)
        arguments.push_back(const_cast<char *>(word.c_str()));
    arguments.push_back(nullptr);
    fflush(nullptr);
    const pid_t child = fork();
    running = child;
    if (child == 0) {
        if (interrupts)
            signal(SIGINT, SIG_DFL);
        execvp(arguments[0], arguments.data());
        fprintf(stderr, "%s: cannot run %s: %s\n", self, arguments[0], strerror(errno));
        _exit(RESOURCE);
    }
    int status = 0;
    if (ended_by && child > 0)
        kill(child, ended_by);
    if (child < 0 || waitpid(child, &status, 0) < 0)
        die(RESOURCE, "cannot start ", command[0]);
    running = 0;
    if (ended_by)
        exit(128 + ended_by);
    return status;
}

/** Runs a command and waits; returns its exit status, or 128 + its signal. */
static int run(const List &command)
{
    int status = wait_status(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/** Runs the program. It has reported the faults of its kernels itself; a crash of its host code
 * is reported here. */
static int run_program(const List &command)
{
    int status = wait_status(command);
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    if (WTERMSIG(status) == SIGPIPE)
        die(RESOURCE, "standard output cannot be written");
    if (WTERMSIG(status) != SIGINT)
        fprintf(
            stderr,
            "%s: the program's host code was ended by signal %d (%s). To see where: keep the\n"
            "  program with --output FILE, and run gdb FILE.\n",
            self, WTERMSIG(status), strsignal(WTERMSIG(status)));
    return 128 + WTERMSIG(status);
}

/** Shows the linker's messages, with the sources in place of their objects. */
static void show_linker(FILE *file)
{
    for (string line; next_line(file, line); fputs(line.c_str(), stderr))
        for (size_t i = sources.size(), at; i-- > 0;)
            for (const string object = scratch + "/" + std::to_string(i) + ".o";
                 (at = line.find(object)) != string::npos;)
                line.replace(at, object.size(), sources[i]);
}

/** Runs the compiler, or the linker, and shows its messages if it fails. */
static int run_compiler(const List &command, bool linker = false)
{
    FILE *messages = tmpfile();
    int keep_stderr = dup(2);
    if (!messages || keep_stderr < 0)
        die(RESOURCE, "no place for the compiler's messages");
    fflush(nullptr);
    dup2(fileno(messages), 2);
    int status = run(command);
    fflush(nullptr);
    dup2(keep_stderr, 2);
    close(keep_stderr);
    rewind(messages);
    if (linker)
        show_linker(messages);
    else
        show_messages(messages, status != 0);
    fclose(messages);
    return status;
}

static void clean_up()
{
    std::error_code error;
    if (!scratch.empty())
        fs::remove_all(scratch, error);
}

static bool ends(const string &text, const string &suffix)
{
    return text.size() > suffix.size() &&
           text.compare(text.size() - suffix.size(), suffix.size(), suffix) == 0;
}

static bool is_source(const string &name)
{
    for (const char *suffix : {".cu", ".cpp", ".cc", ".cxx", ".c"})
        if (ends(name, suffix))
            return true;
    return false;
}

/** Checks that a source is a readable file whose path fits on one line of a message. */
static void check_source(const string &name)
{
    std::error_code error;
    const string path = fs::canonical(name, error);
    if (error || !fs::is_regular_file(path, error) || access(path.c_str(), R_OK) != 0)
        die(USAGE, "cannot read ", name);
    if (has(path, "\n"))
        die(USAGE, "this path has a line's end in it; rename the folder or the file: ", path);
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
static void give_up(const string &file)
{
    std::error_code error;
    const string folder = has(file, "/") ? file.substr(0, file.rfind('/')) : ".";
    const fs::space_info disk = fs::space(folder, error);
    if (!error && disk.available < MEBIBYTE)
        die(RESOURCE, "the disk is full: ", folder);
    exit(USAGE);
}

/** Compiles one source into `object`, or into the scratch folder; returns the object's name. */
static string compile(string source, size_t number, string object)
{
    const string name = scratch + "/" + std::to_string(number);
    if (object.empty())
        object = name + ".o";
    List command;
    const bool for_gdb = !debugged.empty();
    if (all_cuda || ends(source, ".cu")) {
        const string rewritten = name + ".cpp";
        command = {rewriter};
        add(command, include_flags);
        add(command, {"-o", rewritten, source});
        if (run(command) != 0)
            exit(USAGE);
        command = {SIM_CXX, standard};
        add(command, words(SIM_FLAGS " " SIM_TRACED_FLAGS " " SIM_DEFINES));
        add(command, for_gdb ? List{"-O0", "-g3"} : List{"-I" + precompiled});
        if (!assembler.empty())
            add(command, {"-B" + assembler});
        if (!prefix_map.empty())
            add(command, {prefix_map});
        add(command, {"-x", "c++", "-include", "simgpu/standalone.h"});
        source = rewritten;
    } else {
        command = {SIM_CC, "-g", for_gdb ? "-O0" : "-O2", "-w", "-DSIMGPU_HOST_SOURCE=1"};
        if (!ends(source, ".c"))
            command[0] = SIM_CXX, command.push_back(standard);
    }
    if (own_thrust)
        add(command, {"-I" + own_headers});
    add(command, user_flags);
    add(command, {"-I" + own_headers, "-I" + made_headers, "-c", source, "-o", object});
    if (run_compiler(command) != 0)
        give_up(object);
    return object;
}

/** The linker has failed: names the libraries that it does not find. */
static void tell_missing_libraries()
{
    List test = {"/bin/sh", "-c", "exec \"$@\" 2>/dev/null", "sh", SIM_CXX, "-shared"};
    add(test, {"-o", scratch + "/library"});
    std::copy_if(link_flags.begin(), link_flags.end(), std::back_inserter(test),
                 [](const string &option) { return starts(option, "-L"); });
    test.push_back("");
    for (const string &option : link_flags)
        if (starts(option, "-l") && (test.back() = option, run(test) != 0))
            fprintf(stderr,
                    "%s: %s: the linker finds no lib%s.so or .a.\n"
                    "  Install the library, or name its folder with -L.\n",
                    self, option.c_str(), option.c_str() + 2);
}

static void build(const string &program)
{
    List command = {SIM_CXX};
    for (size_t i = 0; i < sources.size(); i++)
        add(command, {compile(sources[i], i, "")});
    add(command, objects);
    add(command, {standalone, "-o", program,
                  "-Wl,--wrap=free,--wrap=_ZdlPv,--wrap=_ZdaPv,--wrap=_ZdlPvm,--wrap=_ZdaPvm",
                  "-Wl,--wrap=printf,--wrap=__printf_chk,--wrap=puts,--wrap=putchar",
                  "-Wl,--no-as-needed", library});
    add(command, link_flags);
    add(command, words("-pthread -ldl -lm " SIM_LINKER));
    if (run_compiler(command, true) == 0)
        return;
    tell_missing_libraries();
    give_up(program);
}

/** The place that --picture and --debug name: a LINE is in the first source. */
static string place_of(const string &line)
{
    const string first = sources.empty() ? "" : fs::path(sources[0]).filename().string();
    const size_t colon = line.rfind(':');
    const string number = colon == string::npos ? line : line.substr(colon + 1);
    if (number.empty() || number.find_first_not_of("0123456789") != string::npos ||
        atoi(number.c_str()) < 1 || colon == 0 || (first.empty() && colon == string::npos))
        die(USAGE, "a place is LINE or FILE:LINE, such as 12 or kernel.cu:12, not ", line);
    return colon == string::npos ? first + ":" + line : line;
}

/** Checks the value of --block or --thread: one to three numbers, with commas. Returns the
 * condition for gdb that `name` is this index. */
static string condition(const string &name, const string &option, const char *value)
{
    unsigned at[3] = {0, 0, 0};
    char end;
    const int count = sscanf(value, "%u,%u,%u%c", &at[0], &at[1], &at[2], &end);
    if (count < 1 || count != 1 + std::count(value, value + strlen(value), ',') ||
        strspn(value, "0123456789,") != strlen(value))
        die(USAGE, option + " takes X, X,Y or X,Y,Z, such as 1,0, not ", value);
    string text;
    for (int i = 0; i < 3; i++)
        text += (i ? " && " : "") + name + "." + "xyz"[i] + " == " + std::to_string(at[i]);
    return text;
}

/** Runs a program in gdb, which stops at the line that --debug names. */
static int run_in_gdb(const List &program)
{
    List command = {"gdb",   "-q",
                    "-x",    own_headers + "/simgpu/debug.gdb",
                    "-ex",   "break " + debugged + " if " + in_block + " && " + in_thread,
                    "-ex",   "run",
                    "--args"};
    add(command, program);
    return run(command);
}

/** One kernel of a program, as simgpu_write_kernels() writes it; all counts are of one launch.
 */
struct Kernel {
    string name;
    double launches, transactions, bytes, useful, passes, ideal;
};

/** Builds a program and runs it; returns its kernels in the order of their first launches. */
static std::vector<Kernel> count_kernels(const string &name, const List &arguments, int *status)
{
    const string file = scratch + "/kernels";
    unlink(file.c_str());
    setenv("SIMGPU_KERNELS", file.c_str(), 1);
    printf("%s:\n", name.c_str());
    fflush(stdout);
    List command = {scratch + "/program"};
    build(command[0]);
    add(command, arguments);
    *status = std::max(*status, run_program(command));
    std::ifstream in(file);
    std::vector<Kernel> kernels;
    for (Kernel k; std::getline(in, k.name, '\t') && in >> k.launches >> k.transactions >>
                                                         k.bytes >> k.useful >> k.passes >>
                                                         k.ideal;) {
        for (double *count : {&k.transactions, &k.bytes, &k.useful, &k.passes, &k.ideal})
            *count /= k.launches;
        in.ignore();
        kernels.push_back(k);
    }
    if (kernels.empty())
        die(std::max(1, *status), "nothing to compare: no kernel was counted in ", name);
    return kernels;
}

/** Runs both programs and prints the counts of their kernels in one table. */
static int compare(const List &arguments)
{
    const string names[] = {sources.empty() ? objects[0] : sources[0], other};
    int status = 0;
    std::vector<Kernel> kernels[2];
    for (int i = 0; i < 2; i++) {
        kernels[i] = count_kernels(names[i], arguments, &status);
        sources = {other};
        objects.clear();
    }
    printf("\nThe counts of one launch of each kernel:\n  %-26s %8s %12s %12s %7s %12s %9s\n",
           "kernel", "launches", "transactions", "bytes", "useful", "passes", "conflict");
    for (int i = 0; i < 2; i++) {
        printf("%s\n", names[i].c_str());
        for (const Kernel &k : kernels[i]) {
            printf("  %-26s %8.0f %12.0f %12.0f %6.1f%% %12.0f", k.name.c_str(), k.launches,
                   k.transactions, k.bytes, k.bytes > 0 ? 100 * k.useful / k.bytes : 0,
                   k.passes);
            printf(k.ideal > 0 ? " %8.2fx\n" : "\n", k.passes / k.ideal);
        }
    }
    const Kernel &a = kernels[0][0], &b = kernels[1][0];
    if (b.transactions > 0)
        printf("%s makes %.2f times the transactions of %s.\n", a.name.c_str(),
               a.transactions / b.transactions, b.name.c_str());
    if (b.passes > 0 && a.passes > 0)
        printf("Its accesses to shared memory take %.2f times as many passes.\n",
               a.passes / b.passes);
    return status;
}

/** The value of an option, from the next word or after a `=`. */
static const char *value_of(char **argv, int argc, int *i, const char *option)
{
    size_t length = strlen(option);
    if (strncmp(argv[*i], option, length) == 0 && argv[*i][length] == '=')
        return argv[*i] + length + 1;
    if (strcmp(argv[*i], option) != 0)
        return nullptr;
    if (*i + 1 >= argc)
        die(USAGE, string(option) + " needs a value");
    return argv[++*i];
}

static const struct Number {
    const char *option, *variable;
    double least, most;
    bool whole;
} numbers[] = {{"--shuffle", "SIMGPU_SHUFFLE", 0, 1LL << 53, true},
               {"--seed", "SIMGPU_SEED", 0, UINT32_MAX, true},
               {"--limit", "SIMGPU_LIMIT", 0, 1e9, false},
               {"--registers", "SIMGPU_REGISTERS", 1, 255, true},
               {"--flops", "SIMGPU_FLOPS", 0, 1e30, false},
               {"--multiprocessors", "SIMGPU_MULTIPROCESSORS", 1, 1024, true},
               {"--budget", "SIMGPU_BUDGET", 0, 1e9, false}};

/** Takes the value of an option, or of its variable in the environment. */
static void take_number(const Number &n, const char *name, const char *text)
{
    char *end, range[80];
    const double value = strtod(text, &end);
    snprintf(range, sizeof range, " takes a %snumber from %.16g to %.16g, not '",
             n.whole ? "whole " : "", n.least, n.most);
    if (end == text || *end || !(value >= n.least && value <= n.most) ||
        (n.whole && strspn(text, "0123456789") != strlen(text)))
        die(USAGE, string(name) + range + text, "'");
    setenv(n.variable, text, 1);
}

/** The word with which an option begins, or "". */
static string beginning_of(const string &option, const char *all)
{
    for (const string &word : words(all))
        if (starts(option, word))
            return word;
    return "";
}

/** Skips an option that only nvcc knows, with its value, or -O, -g; false for another one. */
static bool only_nvcc(char **argv, int argc, int *i)
{
    static const char *const alone =
        "-lineinfo -g -O -G -rdc --relocatable-device-code -M -m --resource-usage "
        "-allow-unsupported-compiler --expt- --extended-lambda -extended-lambda -use_fast_math "
        "--use_fast_math --ptxas -cudart --generate-line-info --fmad -f -W -w -pthread";
    static const char *const with_value =
        "-arch -gencode --gpu-architecture --generate-code -Xptxas -Xcompiler -code "
        "-maxrregcount --compiler-options -ccbin -MF -MT -Xlinker --diag-suppress "
        "-diag-suppress --default-stream -default-stream --threads --Werror";
    const string option = argv[*i], word = beginning_of(option, with_value);
    if (option == "-Werror") { /* nvcc's has a value: all-warnings and others */
        if (*i + 1 < argc && argv[*i + 1][0] != '-' && !is_source(argv[*i + 1]))
            ++*i;
        return true;
    }
    if (!word.empty()) {
        if (option == word && *i + 1 < argc)
            ++*i;
        return true;
    }
    return !beginning_of(option, alone).empty();
}

/** Takes -lNAME or -LFOLDER. */
static void take_library(const string &option)
{
    static const char simulated[] = " cuda cudart cudadevrt cublas cublasLt curand nvToolsExt "
                                    "culibos ",
                      lacking[] =
                          " cufft cufftw cusparse cusolver cusolverMg cudnn nvrtc "
                          "nvJitLink nvjpeg nvidia-ml nvblas nccl cupti cufile cutensor ";
    string name = option.substr(2);
    if (ends(name, "_static"))
        name.erase(name.size() - strlen("_static"));
    if (option[1] == 'l' && (has(lacking, " " + name + " ") || starts(name, "npp")))
        fprintf(stderr,
                "%s: %s: this library of CUDA is not simulated.\n"
                "  Guard the calls of its functions with #ifndef __SIMGPU__.\n",
                self, option.c_str());
    else if (option[1] == 'L' || !has(simulated, " " + name + " "))
        link_flags.push_back(option);
}

/** Takes one option before the program's own arguments. */
static void take_option(char **argv, int argc, int *i, string &output)
{
    static const char *const switches[][2] = {{"--report", "SIMGPU_REPORT"},
                                              {"--all", "SIMGPU_ALL"},
                                              {"--leaks", "SIMGPU_LEAKS"},
                                              {"--profile", "SIMGPU_PROFILE"}};
    const char *value;
    for (auto &[name, variable] : switches)
        if (strcmp(argv[*i], name) == 0) {
            setenv(variable, "1", 1);
            return;
        }
    for (const Number &n : numbers)
        if ((value = value_of(argv, argc, i, n.option)))
            return take_number(n, n.option, value);
    if (strcmp(argv[*i], "-o") == 0)
        argv[*i] = const_cast<char *>("--output");
    for (const char *twice : {"--x", "--std"}) /* as -x and -std */
        argv[*i] += strcmp(argv[*i], twice) == 0 || starts(argv[*i], string(twice) + "=");
    string option = argv[*i];
    if ((option == "-Xcompiler" || option == "--compiler-options") && *i + 1 < argc)
        option += string("=") + argv[++*i];
    if ((value = value_of(argv, argc, i, "--gpu"))) {
        if (strcmp(value, "c1060") && strcmp(value, "modern"))
            die(USAGE, "--gpu takes c1060 or modern, not ", value);
        setenv("SIMGPU_GPU", value, 1);
    } else if ((value = value_of(argv, argc, i, "--roofline"))) {
        if (!has(" h100 a100 rtx4090 c1060 ", string(" ") + value + " "))
            die(USAGE, "--roofline takes h100, a100, rtx4090 or c1060, not ", value);
        setenv("SIMGPU_ROOFLINE", value, 1);
    } else if ((value = value_of(argv, argc, i, "--compare"))) {
        other = value;
        if (!is_source(other))
            die(USAGE, "--compare takes a source that ends in .cu, .c or .cpp, not ", value);
    } else if ((value = value_of(argv, argc, i, "--debug"))) {
        debugged = value;
    } else if ((value = value_of(argv, argc, i, "--picture"))) {
        picture = value;
    } else if ((value = value_of(argv, argc, i, "--block"))) {
        in_block = condition("blockIdx", "--block", value);
        setenv("SIMGPU_BLOCK", value, 1);
    } else if ((value = value_of(argv, argc, i, "--thread"))) {
        in_thread = condition("threadIdx", "--thread", value);
        setenv("SIMGPU_THREAD", value, 1);
    } else if ((value = value_of(argv, argc, i, "--output"))) {
        output = value;
        check_result(value);
    } else if ((value = value_of(argv, argc, i, "--json"))) {
        check_result(value);
        setenv("SIMGPU_JSON", value, 1);
    } else if (option == "-c" || option == "-dc") {
        only_compile = true;
    } else if ((value = value_of(argv, argc, i, "-x"))) {
        all_cuda = strcmp(value, "cu") == 0;
    } else if (starts(option, "-I") || starts(option, "-D") || starts(option, "-U")) {
        if (option.size() == 2 && *i + 1 < argc) /* -I dir */
            option += argv[++*i];
        user_flags.push_back(option);
        if (option[1] == 'I') {
            include_flags.push_back(option);
            own_thrust |= access((option.substr(2) + "/thrust/version.h").c_str(), R_OK) == 0;
        }
    } else if (has(option, "-fopenmp")) {
        user_flags.push_back("-fopenmp");
        link_flags.push_back("-fopenmp");
    } else if ((value = value_of(argv, argc, i, "-std"))) {
        if (!has(" c++98 c++03 c++11 c++14 gnu++11 gnu++14 ", string(" ") + value + " "))
            standard = string("-std=") + value; /* the headers need C++17 */
    } else if (only_nvcc(argv, argc, i)) {      /* -lineinfo is no library */
        return;
    } else if (starts(option, "-l") || starts(option, "-L")) {
        if (option.size() == 2 && *i + 1 < argc) /* -l name */
            option += argv[++*i];
        take_library(option);
    } else {
        die(USAGE,
            "no such option (see --help; the options of your program go after --): ", option);
    }
}

int main(int argc, char **argv)
{
    string output;
    int i = 1;
    in_block = condition("blockIdx", "", "0");
    in_thread = condition("threadIdx", "", "0");
    setenv("SIMGPU_GPU", "modern", 0);
    find_parts();
    for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const string word = argv[i];
        if (word == "--help" || word == "-h") {
            usage(stdout);
            if (fflush(stdout) != 0)
                die(RESOURCE, "standard output cannot be written");
            return 0;
        }
        if (word[0] == '-')
            take_option(argv, argc, &i, output);
        else if (is_source(word))
            sources.push_back(word);
        else if (ends(word, ".o") || ends(word, ".a"))
            objects.push_back(word);
        else if (sources.empty() && objects.empty())
            die(USAGE, "a source file ends in .cu, .c or .cpp; this one does not: ", word);
        else
            break; /* the program's arguments */
    }
    for (const Number &n : numbers)
        if (const char *value = getenv(n.variable))
            take_number(n, n.variable, value);
    if (i < argc && strcmp(argv[i], "--") == 0)
        i++;
    if (sources.empty() && objects.empty()) {
        usage(stderr);
        return USAGE;
    }
    if (!debugged.empty() && run({"/bin/sh", "-c", "command -v gdb >/dev/null"}) != 0)
        die(RESOURCE, "gdb is not installed here: apt-get install gdb");
#ifdef __clang__
    if (!debugged.empty())
        die(RESOURCE,
            "--debug needs GCC: gdb learns the type of threadIdx from it, not from Clang");
#endif
    if (!debugged.empty())
        debugged = place_of(debugged);
    if (!picture.empty()) {
        const string place = place_of(picture), path = place.substr(0, place.rfind(':'));
        setenv("SIMGPU_PICTURE", place.c_str(), 1);
        picture = fs::path(path).stem().string() + "-" + place.substr(path.size() + 1) + ".svg";
        check_result(picture.c_str());
        unlink(picture.c_str());
    }
    if (!other.empty())
        check_source(other);
    for (const List *list : {&sources, &objects})
        for (const string &file : *list)
            check_source(file);
    interrupts = signal(SIGINT, SIG_IGN) != SIG_IGN;
    for (int number : {SIGTERM, SIGHUP})
        if (signal(number, end_command) == SIG_IGN) /* as nohup sets it */
            signal(number, SIG_IGN);
    const char *tmp = getenv("TMPDIR");
    const string folder = tmp && *tmp ? tmp : "/tmp";
    string made = folder + "/ladder-sim-XXXXXX";
    if (!mkdtemp(made.data()))
        die(RESOURCE, "cannot make a folder in ", folder);
    scratch = made;
    atexit(clean_up);
    if (only_compile && !output.empty() && sources.size() != 1)
        die(USAGE, "-c with --output takes one source, for ", output);
    for (size_t k = 0; only_compile && k < sources.size(); k++)
        compile(sources[k], k,
                output.empty() ? fs::path(sources[k]).stem().string() + ".o" : output);
    if (!only_compile && !output.empty())
        build(output);
    if (only_compile || !output.empty())
        return 0;
    const List arguments(argv + i, argv + argc);
    if (!other.empty())
        return compare(arguments);
    List command = {scratch + "/program"};
    build(command[0]);
    add(command, arguments);
    if (!debugged.empty())
        return run_in_gdb(command);
    const int status = run_program(command);
    return status == 0 && !picture.empty() && access(picture.c_str(), F_OK) ? USAGE : status;
}
