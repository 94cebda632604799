/* SPDX-License-Identifier: MIT */
/** @file repeats.cpp
 * Benchmarks launch the same kernel on the same data hundreds of times. If a launch does not
 * change device memory, the same launch would not change it later: it can be skipped until
 * something else changes memory. Only launches that are not traced are skipped.
 *
 * Other launches that have run before, with the same arguments, wait until device memory is
 * read or changed. If several of them return memory to an earlier state, they would do so
 * again, so further rounds are skipped. Launches that still wait at the end of the program are
 * skipped, too.
 */
#include "src/streams/order.h"
#include "src/tracer/tracer.h"

namespace simgpu
{

namespace
{

/* A launch runs `before_looking` times before the first check whether it changes memory. After
 * `most_changes` changes, checks become rare, because each one reads all of device memory. */
constexpr unsigned before_looking = 1, most_changes = 3;

struct Calls {
    unsigned seen = 0, changed = 0;
    bool impure = false;

    /** After some changes, checks more and more rarely. */
    bool look() const
    {
        return seen >= before_looking && (changed < most_changes || !(seen & (seen - 1)));
    }
};
std::map<std::string, Calls> calls;
std::unordered_set<std::string> idle; /* launches that change nothing in the current memory */
uint64_t host_hash;                   /* of the memory that host code may change unseen */
bool known;                           /* `memory_hash` is that of the current memory */
uint64_t memory_hash;
std::atomic<bool> impure{false};
std::atomic<uint64_t> changes{0};
uint64_t changes_known; /* `changes` when the above was valid */

template <class T> void append(std::string &to, const T &value)
{
    to.append(reinterpret_cast<const char *>(&value), sizeof value);
}

void forget()
{
    idle.clear();
    known = false;
    changes_known = changes;
}

bool is_idle(const std::string &key)
{
    if (changes_known != changes)
        forget();
    if (!idle.count(key))
        return false;
    if (have_aliases && arena_hash(true) != host_hash) {
        forget();
        return false;
    }
    return true;
}

void note_idle(const std::string &key)
{
    if (idle.empty() && have_aliases)
        host_hash = arena_hash(true);
    idle.insert(key);
}

/** A launch that waits, or a cudaMemset2D() among such launches. */
struct Waiting {
    std::string key;
    std::shared_ptr<KeptLaunch> launch; /**< null: it is a cudaMemset2D() */
    std::function<void()> set;          /**< which this does */

    void run() { launch ? run_untraced(launch->desc) : set(); }
    /** `unseen`: nothing will read what it writes. */
    void leave_out(bool unseen) const
    {
        if (launch)
            note_left_out(launch->desc, unseen);
    }
};
/* Device variables are registered before main, and the end of the program asks, too. */
std::vector<Waiting> &waiting()
{
    static auto *all = new std::vector<Waiting>;
    return *all;
}
bool settling;

/** The waiting launches, in order. While they repeat in rounds, the memory after all of them is
 * known. */
class Rounds
{
  public:
    explicit Rounds(size_t count, size_t bytes)
        : looks(count < 8 ? 0 : std::min<size_t>(64, most_bytes / (bytes + 1)))
    {
        if (looks)
            real = imagined = arena_hash(false);
    }
    void add(Waiting &w)
    {
        auto next = known.find({w.key, imagined});
        if (looks && next != known.end()) {
            imagined = next->second;
            behind.push_back(&w);
            if (imagined == real)
                leave_out();
            return;
        }
        catch_up();
        w.run();
        if (looks && --looks) {
            imagined = arena_hash(false);
            known[{w.key, real}] = imagined;
            real = imagined;
        }
    }
    void catch_up()
    {
        for (Waiting *w : behind)
            w->run();
        behind.clear();
        real = imagined;
    }

  private:
    static constexpr size_t most_bytes = 8ull << 30;
    size_t looks; /**< how often all of memory may be read */
    uint64_t real = 0, imagined = 0;
    std::map<std::pair<std::string, uint64_t>, uint64_t> known;
    std::vector<Waiting *> behind;

    void leave_out()
    {
        for (Waiting *w : behind)
            w->leave_out(false);
        behind.clear();
    }
};

} // namespace

void memory_changed() { changes++; }

bool launches_wait() { return !waiting().empty(); }

void settle_launches()
{
    if (waiting().empty() || settling)
        return;
    settling = true;
    {
        ArenaAccess access;
        std::vector<Waiting> all;
        all.swap(waiting());
        Rounds rounds(all.size(), arena_used());
        for (Waiting &w : all)
            rounds.add(w);
        rounds.catch_up();
        forget();
        memory_changed();
    }
    settling = false;
    arena_forget_freed();
}

void drop_launches()
{
    for (const Waiting &w : waiting())
        w.leave_out(true);
    waiting().clear();
}

void kernel_is_impure() { impure = true; }

static std::mutex printing_mutex;
static uint64_t printing_launch; /* the last launch that has printed; 0: none */
static simgpu_launch_desc printing;

void check_printing()
{
    if (printing_launch <= launches_waited_for)
        return;
    host_fault(SIMGPU_STREAM_RACE,
               at_line(printing.file, printing.line,
                       "On a GPU the end of the program drops what kernels have not printed: "
                       "call cudaDeviceSynchronize() after the launch."),
               printing.kernel_text,
               "The kernel prints, and the program ends without waiting for it");
}

Repeat::Repeat(const simgpu_launch_desc &d)
{
    append(key, d.thunk);
    append(key, d.grid);
    append(key, d.block);
    append(key, d.cluster);
    append(key, d.shared);
    key.append(static_cast<const char *>(d.closure), d.closure_size);
    skip = waiting().empty() && is_idle(key);
}

bool Repeat::waits(const simgpu_launch_desc &d)
{
    constexpr size_t most_waiting = 1 << 16;
    auto c = calls.find(key);
    if (settling || host_sees_memory() || waiting().size() >= most_waiting ||
        c == calls.end() || c->second.seen < 2 || c->second.impure || order_watched)
        return false;
    waiting().push_back({key, std::make_shared<KeptLaunch>(d), {}});
    static int dropped = atexit(drop_launches);
    (void)dropped;
    return true;
}

void Repeat::begins()
{
    if (calls.size() > 10000)
        calls.clear();
    Calls &c = calls[key];
    watch = c.look();
    c.seen++;
    if (watch && (!known || have_aliases)) {
        memory_hash = arena_hash(false);
        known = true;
    }
    impure = false;
    changes_before = changes;
}

void Repeat::ran()
{
    uint64_t hash = watch ? arena_hash(false) : 0;
    bool unchanged = watch && hash == memory_hash && changes == changes_before && !impure;
    calls[key].impure |= impure || changes != changes_before;
    if (unchanged) {
        note_idle(key);
        return;
    }
    calls[key].changed += watch;
    memory_changed();
    forget();
    known = watch;
    memory_hash = hash;
}

RepeatedMemset::RepeatedMemset(void *device, size_t pitch, int value, size_t width,
                               size_t height)
{
    if (!settings.standalone || settings.budget <= 0)
        return;
    key = "memset";
    append(key, device);
    append(key, pitch);
    append(key, value);
    append(key, width);
    append(key, height);
    skip = waiting().empty() && is_idle(key);
    if (waiting().empty() || !arena_contains(device))
        return;
    skip = true;
    unsigned char *at = static_cast<unsigned char *>(device);
    waiting().push_back({key, nullptr, [=] {
                             for (size_t row = 0; row < height; row++)
                                 memset(at + row * pitch, value, width);
                         }});
    for (size_t row = 0; row < height; row++)
        arena_mark(at + row * pitch, width, state_written);
}

void RepeatedMemset::begins(void *device, size_t pitch, int value, size_t width, size_t height)
{
    bool changes_something = key.empty();
    for (size_t row = 0; !changes_something && row < height; row++) {
        const unsigned char *at = static_cast<unsigned char *>(device) + row * pitch;
        changes_something = *at != (unsigned char)value || memcmp(at, at + 1, width - 1) != 0;
    }
    if (changes_something)
        memory_changed();
    else
        note_idle(key);
}

} // namespace simgpu

void simgpu_kernel_prints()
{
    using namespace simgpu;
    kernel_is_impure();
    if (!this_worker)
        return;
    std::lock_guard<std::mutex> lock(printing_mutex);
    printing_launch = launches_seen;
    printing = this_worker->launch->desc;
}
