// The parking lot of schedulers/engine/parking_lot.hpp, around a queue that is a counter.
// Invariant: no job is left while all who may take it sleep (Relacy: deadlock). Checked with both
// kinds of fences: system-wide (membarrier) and the symmetric pair of machines that have none.
#include <array>
#include <cstdint>
#include <ostream>
#include <utility>
#include <vector>

#include "schedulers/engine/parking_lot.hpp"
#include "verify/explore.hpp"
#include "verify/mutation.hpp"

namespace stealbench::verify {
namespace {

using engine::order;
using engine::parking_lot_orderings;

// Jobs that any worker may take: their numbers, oldest first.
class counting_queue {
 public:
  /// One thread only.
  void push() { pushed_.store(++last_, order::release); }

  [[nodiscard]] bool has_work() const {
    return taken_.load(order::relaxed) < pushed_.load(order::relaxed);
  }

  [[nodiscard]] bool take() {
    std::uint32_t next = taken_.load(order::relaxed);
    while (next < pushed_.load(order::acquire)) {
      if (taken_.compare_exchange_strong(next, next + 1, order::relaxed, order::relaxed)) {
        return true;
      }
    }
    return false;
  }

 private:
  relacy_machine::atomic<std::uint32_t> pushed_;
  relacy_machine::atomic<std::uint32_t> taken_;
  std::uint32_t last_ = 0;
};

// Thread 0 pushes `Jobs` jobs that any worker may take; the others are workers as in
// engine/worker.hpp, but for the spinning. Who runs the last job wakes the others by name.
template <class M, int Workers, std::uint32_t Jobs, const parking_lot_orderings& Orderings>
class pool : public rl::test_suite<pool<M, Workers, Jobs, Orderings>, Workers + 1> {
 public:
  void before() {
    lot_.emplace(static_cast<unsigned>(Workers));
    for (boxed<sleeper>& b : sleepers_) b.emplace();
  }

  void thread(unsigned who) {
    if (who == 0) {
      for (std::uint32_t i = 0; i < Jobs; ++i) {
        queue_.push();
        if (lot_->anyone_idle()) lot_->wake_any();
      }
    } else {
      work(who - 1);
    }
  }

  void after() { expect(run_ == Jobs, "every job has run"); }

 private:
  using lot = engine::parking_lot<M, Orderings>;
  using sleeper = typename lot::sleeper;

  void work(unsigned self) {
    while (search_for_job(self)) {
      if (++run_ < Jobs) continue;
      done_.store(1, order::release);
      for (unsigned i = 0; i < Workers; ++i) {
        if (i != self) lot_->wake(*sleepers_[i]);
      }
    }
  }

  // False once all jobs have run.
  bool search_for_job(unsigned self) {
    lot_->start_searching();
    bool found = false;
    while (done_.load(order::acquire) == 0) {
      found = queue_.take();
      if (found) break;
      lot_->park(*sleepers_[self],
                 [&] { return done_.load(order::relaxed) != 0 || queue_.has_work(); });
    }
    lot_->stop_searching([&] { return queue_.has_work(); });
    return found;
  }

  boxed<lot> lot_;
  std::array<boxed<sleeper>, Workers> sleepers_;
  counting_queue queue_;
  relacy_machine::atomic<std::uint32_t> done_;
  std::uint32_t run_ = 0;  // the suite's own record
};

// Two jobs, two workers, and a job keeps its worker busy for good: the second worker must be woken
// even if the throttle swallowed its wake-up, by the first one as it stops searching.
template <class M, bool HandOver, const parking_lot_orderings& Orderings>
class busy : public rl::test_suite<busy<M, HandOver, Orderings>, 3> {
 public:
  void before() {
    lot_.emplace(2U);
    for (boxed<sleeper>& b : sleepers_) b.emplace();
  }

  void thread(unsigned who) {
    if (who == 0) {
      for (int i = 0; i < 2; ++i) {
        queue_.push();
        if (lot_->anyone_idle()) lot_->wake_any();
      }
      return;
    }
    lot_->start_searching();
    while (!queue_.take()) {
      lot_->park(*sleepers_[who - 1], [&] { return queue_.has_work(); });
    }
    lot_->stop_searching([&] { return HandOver && queue_.has_work(); });
  }

 private:
  using lot = engine::parking_lot<M, Orderings>;
  using sleeper = typename lot::sleeper;
  boxed<lot> lot_;
  std::array<boxed<sleeper>, 2> sleepers_;
  counting_queue queue_;
};

// Thread 0 puts a job into the inbox of worker 0, who alone may take it, while worker 1 goes to
// sleep and is woken too, so that the word always tells of somebody else as well.
template <class M, const parking_lot_orderings& Orderings>
class directed : public rl::test_suite<directed<M, Orderings>, 3> {
 public:
  void before() {
    lot_.emplace(2U);
    for (boxed<sleeper>& b : sleepers_) b.emplace();
  }

  void thread(unsigned who) {
    if (who == 0) {
      for (unsigned worker = 0; worker < 2; ++worker) {
        inbox_[worker].store(1, order::release);
        lot_->wake(*sleepers_[worker]);
      }
      return;
    }
    const unsigned self = who - 1;
    lot_->start_searching();
    while (inbox_[self].load(order::acquire) == 0) {
      lot_->park(*sleepers_[self], [&] { return inbox_[self].load(order::relaxed) != 0; });
    }
    lot_->stop_searching([] { return false; });
  }

 private:
  using lot = engine::parking_lot<M, Orderings>;
  using sleeper = typename lot::sleeper;
  boxed<lot> lot_;
  std::array<boxed<sleeper>, 2> sleepers_;
  std::array<relacy_machine::atomic<std::uint32_t>, 2> inbox_;
};

// The end of a scheduler, as in engine/scheduler.hpp: the flag, then a token for every worker. The
// flag is relaxed. `FlagFirst` false is the negative test.
template <class M, bool FlagFirst>
class shut_down : public rl::test_suite<shut_down<M, FlagFirst>, 3> {
 public:
  void before() {
    lot_.emplace(2U);
    for (boxed<sleeper>& b : sleepers_) b.emplace();
  }

  void thread(unsigned who) {
    if (who == 0) {
      if (FlagFirst) stop_.store(1, order::relaxed);
      for (boxed<sleeper>& b : sleepers_) b->parker.unpark();
      if (!FlagFirst) stop_.store(1, order::relaxed);
      return;
    }
    const auto stopped = [&] { return stop_.load(order::relaxed) != 0; };
    lot_->start_searching();
    while (!stopped()) lot_->park(*sleepers_[who - 1], stopped);
    lot_->stop_searching([] { return false; });
  }

 private:
  using lot = engine::parking_lot<M>;
  using sleeper = typename lot::sleeper;
  boxed<lot> lot_;
  std::array<boxed<sleeper>, 2> sleepers_;
  relacy_machine::atomic<std::uint32_t> stop_;
};

template <class Suite>
check shipped(const char* name, const char* sentence, std::vector<search> searches) {
  return {name, sentence, std::move(searches),
          [](const search& s, std::ostream& log) { return explore<Suite>(s, log); }};
}

parking_lot_orderings weakened;  // read at run time by the mutants

template <class Suite>
check negative_test(const char* name, const char* sentence, bool parking_lot_orderings::*which) {
  return {name,
          sentence,
          {bound(3), random(300'000)},
          [which](const search& s, std::ostream& log) {
            weakened = {};
            if (which != nullptr) weakened.*which = false;
            return explore<Suite>(s, log);
          },
          {"DEADLOCK"}};
}

template <class Suite>
trial script(const char* name, int threads, const search& deep) {
  return {name, threads, deep,
          [](const search& s, std::ostream& log) { return explore<Suite>(s, log); }};
}

template <class M>
matrix orderings(const char* name) {
  using o = parking_lot_orderings;
  using enum operation;
  matrix all = matrix_of<o>(
      name, "schedulers/engine/parking_lot.hpp", engine::parking_lot_shipped, weakened,
      {
          {"look_at_idle", &o::look_at_idle, load, "K1: ordered by the fence before it"},
          {"count_searcher", &o::count_searcher, read_modify_write, "says nothing about jobs"},
          {"leave_search", &o::leave_search, read_modify_write, "K1: ordered by the heavy fence"},
          {"fall_asleep", &o::fall_asleep, read_modify_write, "K1: ordered by the heavy fence"},
          {"wake_up", &o::wake_up, read_modify_write, "under the mutex"},
          {"light", &o::light, step, "K1: heavy"},
          {"heavy", &o::heavy, step, "K1: light, or the free fence"},
          {"always_look", &o::always_look, step, "K1: sends a free fence's caller on to light"},
      });
  all.trials = {script<pool<M, 1, 1, weakened>>("one_worker", 2, bound(4)),
                script<pool<M, 2, 1, weakened>>("two_workers", 3, bound(2)),
                script<directed<M, weakened>>("directed", 3, bound(2))};
  return all;
}

std::vector<matrix> matrices() {
  matrix system_wide = orderings<relacy_machine>("parking_lot");
  system_wide.survivors = {
      {"light", "left out", justification::invisible,
       "The light fence is for the compiler, whom Relacy does not play: "
       "`litmus/SB+light+heavy`."},
      {"always_look", "left out", justification::equivalent,
       "Of no effect where the heavy fence is system-wide."},
  };
  return {std::move(system_wide),
          orderings<relacy_symmetric_machine>("parking_lot without membarrier")};
}

std::vector<check> checks() {
  using o = parking_lot_orderings;
  using asymmetric = relacy_machine;
  using symmetric = relacy_symmetric_machine;
  constexpr const parking_lot_orderings& ship = engine::parking_lot_shipped;
  return {
      shipped<pool<asymmetric, 1, 1, ship>>("one_worker", "A job comes as the worker falls asleep.",
                                            {bound(6), random(100'000)}),
      shipped<pool<symmetric, 1, 1, ship>>("one_worker_symmetric", "The same by seq_cst fences.",
                                           {bound(4), random(100'000)}),
      shipped<pool<asymmetric, 2, 1, ship>>("two_workers", "One of two takes the only job.",
                                            {bound(3), random(300'000)}),
      shipped<pool<symmetric, 2, 1, ship>>("two_workers_symmetric", "The same by seq_cst fences.",
                                           {bound(2), random(300'000)}),
      shipped<pool<asymmetric, 2, 2, ship>>("two_jobs", "The throttle may swallow a wake-up.",
                                            {bound(2), random(300'000)}),
      shipped<pool<symmetric, 2, 2, ship>>("two_jobs_symmetric", "The same by seq_cst fences.",
                                           {bound(2), random(300'000)}),
      shipped<busy<asymmetric, true, ship>>("busy", "The last searcher hands on what is left.",
                                            {bound(3), random(300'000)}),
      shipped<busy<symmetric, true, ship>>("busy_symmetric", "The same by seq_cst fences.",
                                           {bound(2), random(300'000)}),
      shipped<directed<asymmetric, ship>>("directed", "Jobs that one worker alone may take.",
                                          {bound(3), random(300'000)}),
      shipped<directed<symmetric, ship>>("directed_symmetric", "The same by seq_cst fences.",
                                         {bound(2), random(300'000)}),
      shipped<shut_down<asymmetric, true>>(
          "shut_down", "Workers that fall asleep as they are told.", {bound(3), random(300'000)}),
      negative_test<shut_down<asymmetric, false>>("shut_down_flag_last",
                                                  "A token that tells nothing.", nullptr),
      negative_test<busy<asymmetric, false, weakened>>("hand_over_dropped",
                                                       "A swallowed wake-up stays so.", nullptr),
      negative_test<directed<asymmetric, weakened>>("directed_heavy_dropped", "K1, for wake().",
                                                    &o::heavy),
      negative_test<directed<symmetric, weakened>>("directed_light_dropped_symmetric",
                                                   "K1, for wake().", &o::light),
  };
}

}  // namespace
}  // namespace stealbench::verify

int main(int argc, char** argv) {
  return stealbench::verify::run_checks(argc, argv, stealbench::verify::checks(),
                                        stealbench::verify::matrices());
}
