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
  relacy_model::atomic<std::uint32_t> pushed_;
  relacy_model::atomic<std::uint32_t> taken_;
  std::uint32_t last_ = 0;
};

// Thread 0 pushes `Jobs` jobs that any worker may take; the others are workers as in
// engine/worker_state.hpp, but for the spinning. Who runs the last job wakes the others by name.
template <class M, int Workers, std::uint32_t Jobs, const parking_lot_orderings& Orderings>
class pool : public rl::test_suite<pool<M, Workers, Jobs, Orderings>, Workers + 1> {
 public:
  void before() {
    lot_.emplace(static_cast<unsigned>(Workers));
    for (boxed<bed>& b : beds_) b.emplace();
  }

  void thread(unsigned who) {
    if (who == 0) {
      for (std::uint32_t i = 0; i < Jobs; ++i) {
        queue_.push();
        lot_->wake_any();
      }
    } else {
      work(who - 1);
    }
  }

  void after() { expect(run_ == Jobs, "every job has run"); }

 private:
  using lot = engine::parking_lot<M, Orderings>;
  using bed = typename lot::bed;

  void work(unsigned self) {
    while (search_for_job(self)) {
      if (++run_ < Jobs) continue;
      done_.store(1, order::release);
      for (unsigned i = 0; i < Workers; ++i) {
        if (i != self) lot_->wake(*beds_[i]);
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
      lot_->park(*beds_[self],
                 [&] { return done_.load(order::relaxed) != 0 || queue_.has_work(); });
    }
    lot_->stop_searching([&] { return queue_.has_work(); });
    return found;
  }

  boxed<lot> lot_;
  std::array<boxed<bed>, Workers> beds_;
  counting_queue queue_;
  relacy_model::atomic<std::uint32_t> done_;
  std::uint32_t run_ = 0;  // the suite's own record
};

// Two jobs, two workers, and a job keeps its worker busy for good: the second worker must be woken
// even if the throttle swallowed its wake-up, by the first one as it stops searching.
template <class M, bool HandOver, const parking_lot_orderings& Orderings>
class busy : public rl::test_suite<busy<M, HandOver, Orderings>, 3> {
 public:
  void before() {
    lot_.emplace(2U);
    for (boxed<bed>& b : beds_) b.emplace();
  }

  void thread(unsigned who) {
    if (who == 0) {
      for (int i = 0; i < 2; ++i) {
        queue_.push();
        lot_->wake_any();
      }
      return;
    }
    lot_->start_searching();
    while (!queue_.take()) {
      lot_->park(*beds_[who - 1], [&] { return queue_.has_work(); });
    }
    lot_->stop_searching([&] { return HandOver && queue_.has_work(); });
  }

 private:
  using lot = engine::parking_lot<M, Orderings>;
  using bed = typename lot::bed;
  boxed<lot> lot_;
  std::array<boxed<bed>, 2> beds_;
  counting_queue queue_;
};

// Thread 0 puts a job into the inbox of worker 0, who alone may take it, while worker 1 goes to
// sleep and is woken too, so that the word always tells of somebody else as well.
template <class M, const parking_lot_orderings& Orderings>
class directed : public rl::test_suite<directed<M, Orderings>, 3> {
 public:
  void before() {
    lot_.emplace(2U);
    for (boxed<bed>& b : beds_) b.emplace();
  }

  void thread(unsigned who) {
    if (who == 0) {
      for (unsigned worker = 0; worker < 2; ++worker) {
        inbox_[worker].store(1, order::release);
        lot_->wake(*beds_[worker]);
      }
      return;
    }
    const unsigned self = who - 1;
    lot_->start_searching();
    while (inbox_[self].load(order::acquire) == 0) {
      lot_->park(*beds_[self], [&] { return inbox_[self].load(order::relaxed) != 0; });
    }
    lot_->stop_searching([] { return false; });
  }

 private:
  using lot = engine::parking_lot<M, Orderings>;
  using bed = typename lot::bed;
  boxed<lot> lot_;
  std::array<boxed<bed>, 2> beds_;
  std::array<relacy_model::atomic<std::uint32_t>, 2> inbox_;
};

template <class Suite>
check shipped(const char* name, const char* sentence, std::vector<search> searches) {
  return {name, sentence, std::move(searches),
          [](const search& s, std::ostream& log) { return explore<Suite>(s, log); }};
}

parking_lot_orderings weakened;  // read at run time by the twins

template <class Suite>
check twin(const char* name, const char* sentence, bool parking_lot_orderings::*which) {
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

std::vector<check> checks() {
  using o = parking_lot_orderings;
  using asymmetric = relacy_model;
  using symmetric = relacy_symmetric_model;
  constexpr const parking_lot_orderings& ship = engine::parking_lot_shipped;
  return {
      shipped<pool<asymmetric, 1, 1, ship>>("one_worker", "A job comes as the worker falls asleep.",
                                            {full, random(100'000)}),
      shipped<pool<symmetric, 1, 1, ship>>("one_worker_symmetric", "The same by seq_cst fences.",
                                           {full, random(100'000)}),
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
      twin<pool<asymmetric, 1, 1, weakened>>("heavy_dropped", "K1: both look too early.",
                                             &o::heavy),
      twin<pool<symmetric, 1, 1, weakened>>("heavy_dropped_symmetric", "K1.", &o::heavy),
      twin<pool<symmetric, 1, 1, weakened>>("light_dropped_symmetric", "K1: the pusher's end.",
                                            &o::light),
      twin<busy<asymmetric, false, weakened>>("hand_over_dropped", "A swallowed wake-up stays so.",
                                              nullptr),
      twin<directed<asymmetric, weakened>>("directed_heavy_dropped", "K1, for wake().", &o::heavy),
      twin<directed<symmetric, weakened>>("directed_light_dropped_symmetric", "K1, for wake().",
                                          &o::light),
  };
}

}  // namespace
}  // namespace stealbench::verify

int main(int argc, char** argv) {
  return stealbench::verify::run_checks(argc, argv, stealbench::verify::checks());
}
