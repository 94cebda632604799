/* SPDX-License-Identifier: MIT */
/** @file ends.cpp
 * The end of a program in a web page: faults make its status 1, and the page gets what was
 * counted and found, as JSON. There are no signals here: see memory.cpp.
 */
#include "src/launch/blocks.h"
#include "src/faults/faults.h"

#include <new>

namespace simgpu
{

void signals_init() {}
void signals_init_thread() {}
int signals_look() { return 0; }
void signals_allow_look() {}

namespace
{

/** The text that `write` writes. */
template <class F> std::string written(F write)
{
    char *text = nullptr;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    write(out);
    fclose(out);
    std::string all(text, size);
    free(text);
    return all;
}

/** {"sites":[{file,line,op,requests,...}],"faults":[{name,file,line,...,text}],"requests":[...],
 * "steps":{...},"report":"..."} */
void write_result(FILE *out)
{
    fputc('{', out);
    write_sites_and_faults(out);
    fprintf(out, ",\"requests\":[");
    std::string lines = written([](FILE *to) { simgpu_capture_write(to, nullptr, 0, 16); });
    for (size_t i = 0; i < lines.size(); i++)
        fputc(lines[i] == '\n' && i + 1 < lines.size() ? ',' : lines[i], out);
    fprintf(out, "],\"steps\":");
    write_steps(out);
    fprintf(out, ",\"report\":\"%s\"}\n", escaped(written(simgpu_report)).c_str());
}

} // namespace

} // namespace simgpu

using namespace simgpu;

/* Without exceptions, what cannot get memory would crash and say nothing. */
static const std::new_handler before = std::set_new_handler([] {
    fprintf(stderr, "A web page has no more memory than 4 GB. Take a smaller size, or run the "
                    "program with ./ladder sim.\n");
    exit(3);
});

/** Destructors of a thread's objects are dropped: a page's only thread ends with the page. */
extern "C" int __cxa_thread_atexit(void (*)(void *), void *, void *) { return 0; }

/** The page calls this when the program has ended, by return or by exit(). Returns its exit
 * status. */
extern "C" __attribute__((export_name("simgpu_end"))) int simgpu_end(int status)
{
    faults_print();
    if (status == 0 && device_error() == cudaSuccess)
        settings.leaks ? (void)simgpu_check_leaks() : note_leaks();
    fflush(nullptr);
    return faults_seen > 0 && (status == 0 || settings.standalone) ? 1 : status;
}

/** The JSON text, with a zero at its end. */
extern "C" __attribute__((export_name("simgpu_result"))) const char *simgpu_result()
{
    static std::string text;
    text = written(write_result);
    return text.c_str();
}

/** The picture of a line (simgpu_picture()), as an SVG with a zero at its end; "" if the
 * captured warp makes no access there. */
extern "C" __attribute__((export_name("simgpu_svg"))) const char *simgpu_svg(const char *file,
                                                                             int line)
{
    static std::string text;
    text = written([file, line](FILE *to) { simgpu_picture(to, file, line); });
    return text.c_str();
}

#define PAGE(name) __attribute__((import_module("page"), import_name(name)))

extern "C" {
PAGE("try") int page_try(void (*run)(void *what), void *what);
PAGE("give_up") [[noreturn]] void page_give_up();

/** Calls run(what). False: simgpu_web_leave() ended it, as longjmp() does elsewhere. */
bool simgpu_web_try(void (*run)(void *what), void *what) { return page_try(run, what); }
void simgpu_web_leave() { page_give_up(); }
}

/* The page leads each free() and delete of the program to standalone.cpp, which checks it first
   and then calls these. */
extern "C" {
void __real_free(void *memory) { free(memory); }
void __real__ZdlPv(void *memory) { operator delete(memory); }
void __real__ZdaPv(void *memory) { operator delete[](memory); }
void __real__ZdlPvm(void *memory, size_t) { operator delete(memory); }
void __real__ZdaPvm(void *memory, size_t) { operator delete[](memory); }

/* There is only one thread, and it also locks recursive mutexes; the C library's stubs would
   take that for a deadlock. */
int pthread_mutex_lock(pthread_mutex_t *) { return 0; }
int pthread_mutex_unlock(pthread_mutex_t *) { return 0; }

/* No library can be loaded: cuBLAS multiplies by plain loops. */
void *dlopen(const char *, int) { return nullptr; }
void *dlsym(void *, const char *) { return nullptr; }
}
