/* SPDX-License-Identifier: MIT */
/** @file pool.cpp
 * The host threads that run blocks, and one that watches over launches that do not end.
 */
#include "src/launch/blocks.h"

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <ctime>
#include <unistd.h>

namespace simgpu
{

namespace
{

/** The host threads that help the launching thread. They live until the program ends. */
class Pool
{
  public:
    std::vector<std::unique_ptr<Worker>> workers;

    /** Adds a host thread for blocks that others wait for; false if there are enough. */
    bool add_extra(Launch *launch)
    {
        std::lock_guard<std::mutex> lock(launch->extra_mutex);
        if (launch->in_clusters() || launch->extra.size() >= most_extra ||
            launch->next_block >= launch->blocks)
            return false;
        if (extras.size() <= launch->extra.size())
            extras.push_back(std::make_unique<Worker>());
        Worker *worker = extras[launch->extra.size()].get();
        launch->extra.emplace_back([worker, launch] { run_blocks(worker, launch); });
        return true;
    }

    /** Stops the watched launch if none of its blocks ends in time; returns when it is over.
     * The launch lives as long as the lock is held, because stop_watch() takes it too. */
    void watch(std::unique_lock<std::mutex> &lock)
    {
        const uint64_t number = watch_number;
        Launch *launch = watched;
        uint64_t done = 0;
        uint64_t barriers = 0;
        double since = cpu_seconds(), since_barrier = since;
        const double begin = since;
        for (int tries = 0;;) {
            if (watch_wake.wait_for(lock, std::chrono::milliseconds(tries ? 2 : 50),
                                    [&] { return !watched || watch_number != number; }))
                return;
            if (uint64_t now = launch->blocks_done; now != done) {
                done = now;
                since = cpu_seconds();
            }
            if (uint64_t now = launch->barriers; now != barriers) {
                barriers = now;
                since_barrier = cpu_seconds();
            }
            if (launch->traced)
                stop_tracing_late(launch, cpu_seconds() - begin);
            double limit = launch->strayed() ? 1 : settings.time_limit;
            if (launch->desc.cooperative) /* all blocks share the time */
                limit *= (double)launch->blocks;
            /* A large block that comes from one barrier to the next gets more time. */
            const double large = 30;
            double now = cpu_seconds();
            if (!tries && (limit <= 0 || now - since < limit ||
                           (now - since_barrier < limit && now - since < large * limit)))
                continue;
            launch->stop = true;
            if (++tries > 2500)
                give_up(launch);
            look_at(workers);
            std::lock_guard<std::mutex> extra_lock(launch->extra_mutex);
            look_at(extras);
        }
    }

    void run(Launch *launch)
    {
        start_watch(launch);
        if (launch->in_clusters())
            run_in_clusters(launch);
        else if (launch->desc.cooperative)
            run_together(launch);
        else
            run_with_helpers(launch);
        for (;;) { /* threads that were added, some by each other */
            std::thread thread;
            {
                std::lock_guard<std::mutex> lock(launch->extra_mutex);
                auto i = std::find_if(launch->extra.begin(), launch->extra.end(),
                                      [](std::thread &t) { return t.joinable(); });
                if (i == launch->extra.end())
                    break;
                thread = std::move(*i);
            }
            thread.join();
        }
        stop_watch();
    }

  private:
    /** All blocks at the same time, each on a host thread. */
    void run_together(Launch *launch)
    {
        while (workers.empty())
            workers.push_back(std::make_unique<Worker>());
        {
            std::lock_guard<std::mutex> lock(launch->extra_mutex);
            while (extras.size() + 1 < launch->blocks)
                extras.push_back(std::make_unique<Worker>());
            for (uint64_t i = 1; i < launch->blocks; i++) {
                Worker *worker = extras[i - 1].get();
                launch->extra.emplace_back([worker, launch] { run_blocks(worker, launch); });
            }
        }
        run_blocks(workers[0].get(), launch);
    }

    static unsigned wanted_workers()
    {
        static const unsigned processors = std::max(1u, std::thread::hardware_concurrency());
        return processors;
    }

    /** A few clusters at the same time, with a host thread for each block of one. */
    void run_in_clusters(Launch *launch)
    {
        const unsigned size = launch->cluster[0] * launch->cluster[1] * launch->cluster[2];
        const uint64_t together = std::min<uint64_t>(wanted_workers(), launch->blocks / size);
        std::lock_guard<std::mutex> lock(launch->extra_mutex);
        while (extras.size() < together * size)
            extras.push_back(std::make_unique<Worker>());
        for (uint64_t i = 0; i < together; i++) {
            std::shared_ptr<Cluster> cluster = cluster_create(size);
            for (unsigned rank = 0; rank < size; rank++) {
                Worker *worker = extras[i * size + rank].get();
                launch->extra.emplace_back([worker, launch, cluster, rank] {
                    run_blocks(worker, launch, cluster.get(), rank);
                });
            }
        }
    }

    void run_with_helpers(Launch *launch)
    {
        unsigned wanted = wanted_workers();
        wanted = (unsigned)std::min<uint64_t>(wanted, launch->blocks);
        while (workers.size() < wanted)
            workers.push_back(std::make_unique<Worker>());
        while (helpers < wanted - 1) {
            Worker *worker = workers[++helpers].get();
            std::thread([this, worker, number = helpers] { serve(worker, number); }).detach();
        }
        if (wanted > 1) {
            std::lock_guard<std::mutex> lock(mutex);
            current = launch;
            active = wanted - 1;
            running = wanted - 1;
            generation++;
            wake.notify_all();
        }
        run_blocks(workers[0].get(), launch);
        if (wanted > 1) {
            std::unique_lock<std::mutex> lock(mutex);
            finished.wait(lock, [this] { return running == 0; });
            current = nullptr;
        }
    }

    static constexpr size_t most_extra = 128;
    std::vector<std::unique_ptr<Worker>> extras;
    std::mutex watch_mutex;
    std::condition_variable watch_wake;
    Launch *watched = nullptr;
    uint64_t watch_number = 0; /* because the next launch may have the same address */
    bool watching = false;

    static void look_at(std::vector<std::unique_ptr<Worker>> &workers)
    {
        for (auto &w : workers)
            if (w->active)
                pthread_kill(w->host_thread, signals_look());
    }

    [[noreturn]] static void give_up(Launch *launch)
    {
        host_fault(SIMGPU_ENDLESS, at_line(launch->desc.file, launch->desc.line),
                   launch->kernel_name(), "no block of the kernel has ended for %g seconds",
                   settings.time_limit);
        faults_print();
        fflush(stdout);
        _exit(1);
    }

    void start_watch(Launch *launch)
    {
        std::lock_guard<std::mutex> lock(watch_mutex);
        watched = launch;
        watch_number++;
        if (watching) {
            watch_wake.notify_all();
            return;
        }
        watching = true;
        std::thread([this] {
            std::unique_lock<std::mutex> lock(watch_mutex);
            for (;;) {
                watch_wake.wait(lock, [this] { return watched != nullptr; });
                watch(lock);
            }
        }).detach();
    }

    void stop_watch()
    {
        std::lock_guard<std::mutex> lock(watch_mutex);
        watched = nullptr;
        watch_wake.notify_all();
    }

    std::mutex mutex;
    std::condition_variable wake, finished;
    Launch *current = nullptr;
    unsigned helpers = 0, active = 0, running = 0;
    uint64_t generation = 0;

    void serve(Worker *worker, unsigned number)
    {
        uint64_t seen = 0;
        for (;;) {
            std::unique_lock<std::mutex> lock(mutex);
            wake.wait(lock, [&] { return generation != seen; });
            seen = generation;
            if (!current || number > active)
                continue;
            Launch *launch = current;
            lock.unlock();
            run_blocks(worker, launch);
            lock.lock();
            if (--running == 0)
                finished.notify_one();
        }
    }
};

/** Never destroyed: helpers may still wait in it when the program ends. */
Pool &pool()
{
    static Pool *pool = new Pool;
    return *pool;
}

} // namespace

void pool_run(Launch *launch) { pool().run(launch); }

bool pool_add_extra(Launch *launch) { return pool().add_extra(launch); }

} // namespace simgpu
