// One suite for every scenario of the split deque: what each thread does is a script, so that a
// scenario is a line of a table and Relacy's templates are compiled once per number of thieves.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "schedulers/engine/job_entry.hpp"
#include "schedulers/engine/latch.hpp"
#include "schedulers/work_stealing/split_deque.hpp"
#include "verify/explore.hpp"
#include "verify/work_stealing/scripts.hpp"

namespace stealbench::verify {

using work_stealing::portion;
using work_stealing::split_orderings;
using work_stealing::steal_outcome;

/// What the suites of this executable play. Relacy makes a suite by its default constructor.
inline const split_script* split_script_now = nullptr;

/// Invariants: every job runs exactly once and none is lost; its payload is plain data in its slot,
/// written before the fork, by whoever runs the job, and by the next job of that slot, so that
/// Relacy sees any race on it; a join returns when the job has run.
template <class M, rl::thread_id_t Thieves, const split_orderings& Orderings>
class split_suite : public rl::test_suite<split_suite<M, Thieves, Orderings>, Thieves + 1> {
 public:
  void before() {
    slots_[script_.slots].entry.open(no_job, order::relaxed);
    deque_.emplace(&slots_[0], &slots_[script_.slots]);
    play(script_.before);
  }

  void thread(unsigned who) {
    if (who == 0) {
      play(script_.owner);
      while (depth_ > 0) join("");
    } else {
      for (const char* act = script_.thieves[who - 1]; *act != '\0'; ++act) {
        const auto id = static_cast<std::uint16_t>(who);
        const auto got = *act == 's' ? deque_->steal() : deque_->force(id);
        expect((got.outcome == steal_outcome::taken) == (got.job != nullptr), "taken means a job");
        if (got.job != nullptr) run_stolen(*got.job);
      }
    }
  }

  void after() {
    expect(deque_->looks_empty(), "nothing is left after the last join");
    for (std::size_t i = 0; i < forked_; ++i) expect(runs_[i] == 1, "no job is lost");
  }

 private:
  using order = engine::order;
  static constexpr std::size_t most_slots = 4;
  static constexpr std::size_t most_jobs = 8;

  struct kind {};
  static inline kind a_job;
  static inline kind no_job;
  struct nobody {};

  struct slot {
    using kind_type = kind;
    engine::job_entry<kind, M> entry;
    engine::latch<nobody, M> finished;
    typename M::template plain<std::size_t> payload;
  };
  using deque = work_stealing::split_deque<slot, M, Orderings>;

  void play(const char* script) {
    for (; *script != '\0'; ++script) {
      if (*script == '+') fork();
      if (*script == '-') join("");
      if (*script == 'w') join(script_.meanwhile);
      if (*script == 'S') deque_->expose(slots_[depth_ - 1]);
      if (*script == 'A') deque_->expose(slots_[depth_ - 1], portion::all);
      if (*script == 'O') deque_->expose(slots_[depth_ - 1], portion::oldest);
    }
  }

  void fork() {
    expect(depth_ < script_.slots, "a script keeps to its slots");
    slots_[depth_].payload.write(forked_++);
    deque_->push(slots_[depth_], a_job);
    ++depth_;
  }

  void join(const char* while_waiting) {
    slot& topmost = slots_[depth_ - 1];
    if (deque_->take_back(topmost)) {
      run(topmost.payload.read());
    } else {
      play(while_waiting);
      expect(&topmost == &slots_[depth_ - 1], "who waits joins what it has forked meanwhile");
      while (!topmost.finished.done()) M::spin();
      const bool declined = topmost.finished.declined();
      topmost.finished.reset();
      deque_->retire(topmost);
      if (declined) run(topmost.payload.read());
      expect(runs_[topmost.payload.read()] == 1, "a stolen job has run when its latch is open");
    }
    --depth_;
  }

  void run_stolen(slot& found) {
    kind* const of = found.entry.kind(order::relaxed);
    if (of == nullptr) {
      static_cast<void>(found.finished.decline());
      return;
    }
    expect(of == &a_job, "an open slot tells the kind of its job");
    const std::size_t id = found.payload.read();
    run(id);
    found.payload.write(id);
    static_cast<void>(found.finished.set());
  }

  void run(std::size_t id) { expect(++runs_[id] == 1, "no job runs twice"); }

  const split_script& script_ = *split_script_now;
  std::array<slot, most_slots + 1> slots_;
  boxed<deque> deque_;
  std::size_t depth_ = 0;
  std::size_t forked_ = 0;
  std::array<int, most_jobs> runs_{};  // the suite's own record, no part of what is checked
};

/// Plays `script` with as many thieves as have one.
template <class M, const split_orderings& Orderings>
[[nodiscard]] verdict play_split(const split_script& script, const search& s, std::ostream& log) {
  split_script_now = &script;
  if (script.thieves[1] == nullptr) return explore<split_suite<M, 1, Orderings>>(s, log);
  return explore<split_suite<M, 2, Orderings>>(s, log);
}

}  // namespace stealbench::verify
