/* SPDX-License-Identifier: MIT */
/** @file symbols.cpp
 * Finds source lines of addresses by asking addr2line (of binutils, or LLVM's). That takes a
 * tenth of a second, so it happens only when a fault or a report is printed. Without addr2line,
 * lines stay unknown and messages say so.
 */
#include "src/launch/blocks.h"

#include <elf.h>
#include <execinfo.h>
#include <fcntl.h>
#include <filesystem>
#include <link.h>
#include <fstream>
#include <sstream>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef SIMGPU_SOURCE_ROOT
#define SIMGPU_SOURCE_ROOT ""
#endif

/* The linker defines these if the program has __constant__ variables. */
extern "C" char __start_simgpu_constant __attribute__((weak));
extern "C" char __stop_simgpu_constant __attribute__((weak));

/* The program's variables are between these two. */
extern "C" char __data_start __attribute__((weak));
extern "C" char _end __attribute__((weak));

namespace simgpu
{

namespace
{

struct Range {
    uintptr_t begin, end;
};

struct Image {
    uintptr_t bias = 0;
    Range code = {0, 0};          /* of the program itself */
    std::vector<Range> read_only; /* of the program and its libraries */
};

const Image &image()
{
    static const Image *loaded = [] {
        Image *im = new Image;
        dl_iterate_phdr(
            [](dl_phdr_info *info, size_t, void *data) {
                Image *im = static_cast<Image *>(data);
                bool program = im->code.begin == 0 && im->read_only.empty();
                if (program)
                    im->bias = info->dlpi_addr;
                for (int i = 0; i < info->dlpi_phnum; i++) {
                    const auto &h = info->dlpi_phdr[i];
                    Range range = {info->dlpi_addr + h.p_vaddr,
                                   info->dlpi_addr + h.p_vaddr + h.p_memsz};
                    if ((h.p_type == PT_LOAD && !(h.p_flags & PF_W)) ||
                        h.p_type == PT_GNU_RELRO)
                        im->read_only.push_back(range);
                    if (program && h.p_type == PT_LOAD && (h.p_flags & PF_X))
                        im->code = range;
                }
                return 0;
            },
            im);
        return im;
    }();
    return *loaded;
}

auto &known_lines = *new std::map<uint32_t, SourceLine>; /* needed while the program ends */

std::recursive_mutex known_mutex; /* workers that fault at the same time ask for lines */
__thread int asking;

/** Guards the known lines and names. While a thread holds it, a signal handler must not look up
 * more. */
struct Asking {
    std::lock_guard<std::recursive_mutex> lock{known_mutex};
    Asking() { asking++; }
    ~Asking() { asking--; }
};

bool of_the_simulator(const std::string &file)
{
    return file.find(SIMGPU_DIR "/include/") == 0 || file.find(SIMGPU_DIR "/src/") == 0;
}

/** Runs addr2line on addresses (a line each, offsets in the program). Returns its output, ""
 * without it. The shell gets the program and the addresses as open files, by their numbers:
 * this works where no file may be written. */
std::string run_addr2line(const std::string &addresses)
{
    const int program = open("/proc/self/exe", O_RDONLY), input = memfd_create("addresses", 0);
    std::string text;
    if (input >= 0 &&
        write(input, addresses.data(), addresses.size()) == (ssize_t)addresses.size()) {
        const std::string command = format(
            "for tool in addr2line llvm-addr2line llvm-addr2line-14; do "
            "command -v $tool >/dev/null && "
            "exec $tool -e /proc/self/fd/%d -a -f -C -i </proc/self/fd/%d 2>/dev/null; done",
            program, input);
        FILE *output = popen(command.c_str(), "r");
        char buffer[4096];
        for (size_t got; output && (got = fread(buffer, 1, sizeof buffer, output)) > 0;)
            text.append(buffer, got);
        if (output)
            pclose(output);
    }
    close(input);
    close(program);
    return text;
}

/* ---- a helper process asks for a program that may open no files and start no programs ---- */

int helper = -1; /* the socket to it; -1: none, and this process asks by itself */

bool transfer(ssize_t (*how)(int, void *, size_t), int socket, void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t now = how(socket, (char *)bytes + done, size - done);
        if (now <= 0)
            return false;
        done += (size_t)now;
    }
    return true;
}

ssize_t write_some(int socket, void *bytes, size_t size) { return write(socket, bytes, size); }

bool send_text(int socket, const std::string &text)
{
    size_t size = text.size();
    return transfer(write_some, socket, &size, sizeof size) &&
           transfer(write_some, socket, const_cast<char *>(text.data()), size);
}

bool receive_text(int socket, std::string *text)
{
    size_t size = 0;
    if (!transfer(read, socket, &size, sizeof size) || size > 1 << 26)
        return false;
    text->resize(size);
    return transfer(read, socket, &(*text)[0], size);
}

std::string whole_file(const std::string &name)
{
    std::ifstream in(name, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}

/** A question is a list of addresses, or the name of a file that an answer has named. */
[[noreturn]] void answer_questions(int socket)
{
    std::string question, told;
    while (receive_text(socket, &question)) {
        std::string answer;
        if (question.compare(0, 2, "0x") == 0)
            told += answer = run_addr2line(question);
        else if (told.find("\n" + question + ":") != std::string::npos)
            answer = whole_file(question);
        if (!send_text(socket, answer))
            break;
    }
    _exit(0);
}

/** Answers a question, or lets the helper answer it. */
std::string ask(const std::string &question, std::string (*here)(const std::string &))
{
    std::string answer;
    if (helper < 0)
        return here(question);
    if (!send_text(helper, question) || !receive_text(helper, &answer))
        return "";
    return answer;
}

std::string addr2line(const std::vector<uint64_t> &addresses)
{
    char line[32];
    std::string question;
    for (uint64_t a : addresses) {
        snprintf(line, sizeof line, "0x%llx\n", (Count)a);
        question += line;
    }
    return ask(question, run_addr2line);
}

/** Splits "path:line (discriminator n)". */
SourceLine parse_line(const std::string &function, const std::string &text)
{
    SourceLine s;
    size_t colon = text.rfind(':');
    if (colon == std::string::npos || text[0] == '?')
        return s;
    s.line = atoi(text.c_str() + colon + 1);
    if (s.line > 0)
        s.file = std::filesystem::path(text.substr(0, colon)).lexically_normal();
    s.function = function;
    return s;
}

/** The line of each address: the innermost outside the simulator. */
std::vector<SourceLine> look_up(const std::vector<uint64_t> &addresses)
{
    std::vector<SourceLine> found(addresses.size());
    std::string text = addr2line(addresses);
    size_t at = 0, entry = (size_t)-1;
    auto next_line = [&] {
        size_t end = text.find('\n', at);
        std::string line = text.substr(at, end - at);
        at = end == std::string::npos ? text.size() : end + 1;
        return line;
    };
    while (at < text.size()) {
        std::string line = next_line();
        if (line.compare(0, 2, "0x") == 0) {
            entry++;
            continue;
        }
        std::string place = next_line();
        if (entry >= found.size())
            break;
        SourceLine s = parse_line(line, place);
        if (!s.file.empty() &&
            (found[entry].file.empty() || of_the_simulator(found[entry].file)))
            found[entry] = s;
        else if (!s.file.empty())
            found[entry].callers.push_back(s);
    }
    return found;
}

} // namespace

uintptr_t image_bias;

bool asks_for_lines() { return asking > 0; }

static __attribute__((constructor(101))) void find_bias() { image_bias = image().bias; }

void resolve(const std::vector<uint32_t> &pcs)
{
    Asking only_me;
    std::vector<uint32_t> unknown;
    std::vector<uint64_t> addresses;
    for (uint32_t pc : pcs)
        if (!known_lines.count(pc)) {
            known_lines[pc] = SourceLine();
            unknown.push_back(pc);
            addresses.push_back(pc - 1); /* inside the call, not after it */
        }
    if (unknown.empty())
        return;
    std::vector<SourceLine> found = look_up(addresses);
    for (size_t i = 0; i < unknown.size(); i++)
        known_lines[unknown[i]] = found[i];
}

SourceLine source_of(uint32_t pc)
{
    Asking only_me;
    resolve({pc});
    return known_lines[pc];
}

std::string function_at(const void *address)
{
    /* needed while the program ends */
    static auto &names = *new std::map<const void *, std::string>;
    Asking only_me;
    auto i = names.find(address);
    if (i != names.end())
        return i->second;
    std::string name;
    uint64_t offset = (uintptr_t)address - image().bias;
    std::string text = addr2line({offset});
    /* An address, then a function and a line for each call that is inlined there; last the
     * function itself. */
    size_t last = text.size() > 1 ? text.rfind('\n', text.size() - 2) : std::string::npos;
    size_t first = last + 1 > 1 ? text.rfind('\n', last - 1) : std::string::npos;
    if (first != std::string::npos && last != std::string::npos) {
        name = text.substr(first + 1, last - first - 1);
        name = name.substr(0, name.find('('));
        if (!name.empty() && name[0] == '?')
            name = "";
    }
    return names[address] = name;
}

std::string display_path(const std::string &path)
{
    std::string root = SIMGPU_SOURCE_ROOT "/";
    if (root.size() > 1 && path.compare(0, root.size(), root) == 0)
        return path.substr(root.size());
    char here[4096];
    if (getcwd(here, sizeof here)) {
        std::string base = std::string(here) + "/";
        if (path.compare(0, base.size(), base) == 0)
            return path.substr(base.size());
    }
    return path;
}

std::string source_text(const std::string &file, int line, bool whole)
{
    static auto &files = *new std::map<std::string, std::vector<std::string>>;
    Asking only_me;
    auto i = files.find(file);
    if (i == files.end()) {
        std::vector<std::string> lines;
        std::istringstream in(ask(file, whole_file));
        for (std::string text; std::getline(in, text);)
            lines.push_back(text);
        i = files.emplace(file, lines).first;
    }
    if (line < 1 || (size_t)line > i->second.size())
        return "";
    const std::string &text = i->second[(size_t)line - 1];
    size_t begin = whole ? 0 : text.find_first_not_of(" \t");
    return begin == std::string::npos ? "" : text.substr(begin);
}

bool is_read_only(uintptr_t address)
{
    for (const Range &r : image().read_only)
        if (address >= r.begin && address < r.end)
            return true;
    return false;
}

bool is_constant_memory(uintptr_t address)
{
    return &__start_simgpu_constant && address >= (uintptr_t)&__start_simgpu_constant &&
           address < (uintptr_t)&__stop_simgpu_constant;
}

bool is_host_variable(uintptr_t address)
{
    return &__data_start && &_end && address >= (uintptr_t)&__data_start &&
           address < (uintptr_t)&_end;
}

bool is_program_code(uintptr_t address)
{
    return address >= image().code.begin && address < image().code.end;
}

static bool is_user_line(uint32_t pc)
{
    SourceLine s = source_of(pc);
    return !s.file.empty() && !of_the_simulator(s.file);
}

bool is_user_code(uintptr_t address)
{
    return is_program_code(address) && is_user_line(pc_of(address + 1));
}

uint32_t calling_pc()
{
    void *frames[64];
    return calling_pc_of(frames, backtrace(frames, 64));
}

uint32_t calling_pc_of(void *const *frames, int count)
{
    std::vector<uint32_t> pcs;
    for (int i = 0; i < count; i++)
        if (is_program_code((uintptr_t)frames[i]))
            pcs.push_back(pc_of((uintptr_t)frames[i]));
    resolve(pcs);
    auto user = std::find_if(pcs.begin(), pcs.end(), is_user_line);
    return user == pcs.end() ? 0 : *user;
}

} // namespace simgpu

void simgpu_ask_through_helper()
{
    int ends[2];
    void *frame;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return;
    pid_t child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_RDWR); /* so that no pipe stays open until it ends */
        for (int other = 0; other < 64; other++)
            if (other != ends[1])
                other < 3 ? dup2(null, other) : close(other);
        simgpu::answer_questions(ends[1]);
    }
    close(ends[1]);
    if (child > 0)
        simgpu::helper = ends[0];
    else
        close(ends[0]);
    backtrace(&frame, 1); /* loads its library while that is still allowed */
}
