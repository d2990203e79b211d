// How a worker of either engine looks for work, falls asleep and stops, under GenMC: searcher of
// engine/search.hpp over the parking lot, with a queue and counts of this file's. Relacy's scripts
// run a whole scheduler. Invariant: no worker sleeps for good beside a job, or once it is to stop.
// -DSCRIPT=name. Not searched: steps that are taken elsewhere in the engine, and those that
// concern a second sleeper.
#include "schedulers/engine/search.hpp"

#include "verify/genmc/genmc_model.hpp"

namespace stealbench::verify {
namespace {

constexpr engine::search_steps steps = mutant_of(engine::all_search_steps);

struct machine : genmc_model<true> {
  static constexpr engine::limits limits() { return {}; }
  static int this_thread() { return 0; }
};
struct policy {
  static constexpr bool directed = false;
  using machine = verify::machine;
};
using lot_type = engine::lot_for<policy>;

}  // namespace
}  // namespace stealbench::verify

template <>
inline constexpr const stealbench::engine::search_steps&
    stealbench::engine::search_steps_on<stealbench::verify::machine> = stealbench::verify::steps;

namespace stealbench::verify {
namespace {

struct job {};
job a_job;

// One for all workers: jobs are numbers, each less than `pushed` and taken in turn.
machine::atomic<unsigned> pushed;
machine::atomic<unsigned> taken;
late<lot_type::request_flag> requests[2];  // the first is the pushing thread's
struct queue_of_all {
  static constexpr engine::capabilities can{};

  [[nodiscard, gnu::always_inline]] static bool has_work() {
    return taken.load(order::relaxed) < pushed.load(order::relaxed);
  }
  [[nodiscard, gnu::always_inline]] static bool sees_more() { return has_work(); }
  [[gnu::always_inline]] static job* find_work(engine::steal_attempts& /*tried*/) {
    unsigned next = taken.load(order::relaxed);
    const bool has_taken =
        next < pushed.load(order::acquire) &&
        taken.compare_exchange_strong(next, next + 1, order::relaxed, order::relaxed);
    return has_taken ? &a_job : nullptr;
  }

  lot_type::request_flag& requested;
};

struct no_counts {
  void searches() {}
  void parked() {}
  void unparked() {}
  void woke(unsigned /*workers*/) {}
  void tried(const engine::steal_attempts& /*attempts*/) {}
};

struct impatient {
  struct {
    void expect_here() const {}
  } made_in;
  template <class Over>
  bool pause(engine::purpose /*why*/, unsigned /*round*/, const Over& /*over*/) const {
    return false;
  }
};

struct pool_of_two {
  using queue = queue_of_all;
  struct {
    schedulers::idle_policy idle = schedulers::idle_policy::park;
  } options;
  impatient patience;
  lot_type lot{2U, 1U};
  lot_type::sleeper sleepers[2];
  machine::atomic<bool> stop{false};
};
late<pool_of_two> the_pool;

class worker : public engine::searcher<worker, policy> {
 public:
  using pool_type = pool_of_two;
  [[gnu::always_inline]] explicit worker(unsigned number)
      : pool(*the_pool), index(number), queue{*requests[number]} {}

  [[gnu::always_inline]] void push() {
    pushed.fetch_add(1, order::release);
    if (is_requested()) answer();
  }
  // Until it has found a job, or the pool stops.
  [[gnu::always_inline]] job* work_once() {
    const auto over = [this] { return pool.stop.load(order::relaxed); };
    return look_for_work<engine::purpose::any_job>(over, over);
  }

  pool_type& pool;
  const unsigned index;
  queue_of_all queue;
  no_counts counts;
};

[[gnu::always_inline]] inline void take_one(worker& self) {
  expect(self.work_once() != nullptr, "a worker that was woken looks for a job");
}

void take_a_job() {
  worker self(1);
  take_one(self);
}
[[maybe_unused]] [[gnu::always_inline]] inline void one_job() {
  const long other = start<take_a_job>();
  worker(0).push();
  join(other);
}

// The worker that found the first job sleeps again before the second: it is no searcher then.
void take_two_jobs() {
  worker self(1);
  take_one(self);
  take_one(self);
}
[[maybe_unused]] [[gnu::always_inline]] inline void two_jobs_in_turn() {
  const long other = start<take_two_jobs>();
  worker self(0);
  self.push();
  self.push();
  join(other);
}

// The pool stops, as engine/base_scheduler.hpp stops it.
void look_until_stopped() {
  worker self(1);
  static_cast<void>(self.work_once());
}
[[maybe_unused]] [[gnu::always_inline]] inline void stopped() {
  const long other = start<look_until_stopped>();
  the_pool->stop.store(true, order::relaxed);
  the_pool->sleepers[1].parker.unpark();
  join(other);
}

}  // namespace
}  // namespace stealbench::verify

int main() {
  using namespace stealbench::verify;
  the_pool.make();
  for (unsigned i = 0; i < 2; ++i) {
    requests[i].make();
    the_pool->lot.enlist(i, *requests[i]);
  }
#ifdef SCRIPT
  SCRIPT();
#endif
}
