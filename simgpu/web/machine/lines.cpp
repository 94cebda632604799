/* SPDX-License-Identifier: MIT */
/** @file lines.cpp
 * Source lines in a web page. A WebAssembly program cannot find out where it was called. So the
 * page has numbered the program's calls of the simulator (lines.mjs), and stores the number in
 * simgpu_site before each of them. The page knows the line of each number.
 */
#include "src/memory/arena.h"
#include "src/machine/machine.h"

#define PAGE(name) __attribute__((import_module("page"), import_name(name)))

extern "C" {
__attribute__((visibility("default"))) uint32_t simgpu_site;
/** The line of a site, and its file and function. */
PAGE("site") int page_site(uint32_t site, char *file, size_t, char *function, size_t);
/** The text of a line. */
PAGE("text") void page_text(const char *file, int line, char *text, size_t size);
/** Whether the site's store stores a constant, and whether its volatile read polls. */
PAGE("stores_constant") int page_stores_constant(uint32_t site);
PAGE("polls") int page_polls(uint32_t site);
/** The owner of an address outside device memory. */
enum { PAGE_NOBODY, PAGE_READ_ONLY, PAGE_CONSTANT, PAGE_HOST_VARIABLE };
PAGE("owner") int page_owner(uintptr_t address);
}

namespace simgpu
{

uintptr_t image_bias;

void resolve(const std::vector<uint32_t> &) {}

SourceLine source_of(uint32_t pc)
{
    char file[256] = "", function[256] = "";
    SourceLine s;
    s.line = pc ? page_site(pc, file, sizeof file, function, sizeof function) : 0;
    s.file = file;
    s.function = function;
    return s;
}

std::string function_at(const void *) { return ""; }

/** The program's files are in the root. */
std::string display_path(const std::string &path)
{
    return path[0] == '/' ? path.substr(1) : path;
}

std::string source_text(const std::string &file, int line, bool whole)
{
    char buffer[512] = "";
    page_text(file.c_str(), line, buffer, sizeof buffer);
    std::string text = buffer;
    size_t begin = whole ? 0 : text.find_first_not_of(" \t");
    return begin == std::string::npos ? "" : text.substr(begin);
}

bool is_read_only(uintptr_t address) { return page_owner(address) == PAGE_READ_ONLY; }
bool is_constant_memory(uintptr_t address) { return page_owner(address) == PAGE_CONSTANT; }
bool is_host_variable(uintptr_t address) { return page_owner(address) == PAGE_HOST_VARIABLE; }

bool is_program_code(uintptr_t) { return false; }
bool is_user_code(uintptr_t) { return false; }
bool asks_for_lines() { return false; }
uint32_t calling_pc() { return simgpu_site; }
uint32_t calling_pc_of(void *const *frames, int count)
{
    return count ? (uint32_t)(uintptr_t)frames[0] : 0;
}

bool stores_constant(uint32_t pc) { return page_stores_constant(pc); }
bool polls(uint32_t pc) { return page_polls(pc); }

/* A page cannot change its code, and traces all launches. */
void call_tracer(bool) {}

} // namespace simgpu
