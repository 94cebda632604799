/**
 * @file test_symbols.cpp
 * Several workers whose blocks race ask for lines and names at the same time.
 */
#include <atomic>
#include <cstdio>
#include <thread>

#include "src/memory/arena.h"
#include "src/machine/machine.h"

using namespace simgpu;

static constexpr int threads = 4, files = 6000;

static int failures[threads];
static std::atomic<int> here;

/** All threads have come here `times` times. */
static void meet(int times)
{
    here++;
    while (here < times * threads)
        std::this_thread::yield();
}

static void ask(int number, const char *source)
{
    for (int i = 0; i < files; i++) {
        meet(i + 1);
        failures[number] += !source_text(format("/nowhere/%d.cu", i), 1).empty();
    }
    failures[number] += source_text(source, 1) != "/**";
    failures[number] += function_at((const void *)&ask) != "ask";
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    std::vector<std::thread> all;
    for (int i = 0; i < threads; i++)
        all.emplace_back(ask, i, argv[1]);
    for (std::thread &t : all)
        t.join();
    int sum = 0;
    for (int f : failures)
        sum += f;
    printf("%d threads asked for %d files: %d wrong\n", threads, files, sum);
    return sum != 0;
}
