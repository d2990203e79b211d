// One suite for every scenario of the private deque: what each thread does is a script, as for the
// split deque (split_deque_script.hpp).
#pragma once

#include <array>
#include <cstddef>

#include "schedulers/engine/job_entry.hpp"
#include "schedulers/engine/latch.hpp"
#include "schedulers/work_stealing/private_deque.hpp"
#include "verify/explore.hpp"
#include "verify/work_stealing/scripts.hpp"

namespace stealbench::verify {

using work_stealing::private_orderings;

/// What the suites of this executable play. Relacy makes a suite by its default constructor.
inline const private_script* private_script_now = nullptr;

/// Invariants: every job runs exactly once and none is lost; its payload is plain data in its slot,
/// written before the fork, by whoever runs the job, and by the next job of that slot, so that
/// Relacy sees any race on it; a join returns when the job has run; a thief that has withdrawn is
/// given nothing.
template <class M, rl::thread_id_t Thieves, const private_orderings& Orderings>
class private_suite : public rl::test_suite<private_suite<M, Thieves, Orderings>, Thieves + 1> {
 public:
  void before() {
    slots_[script_.slots].entry.open(no_job, order::relaxed);
    for (auto& each : deques_) each.emplace(&slots_[0], &slots_[script_.slots]);
    for (auto& each : hands_) each.emplace(0U);
  }

  void thread(unsigned who) {
    if (who == 0) {
      play(script_.owner);
      while (depth_ > 0) join("");
    } else {
      for (const char* act = script_.thieves[who - 1]; *act != '\0'; ++act) {
        // What has no owner that answers: asked in vain, and withdrawn from.
        deque& victim = *deques_[*act == 'v' ? 1 : 0];
        if (slot* const got = asked_for(victim, *hands_[who - 1])) run_stolen(*got);
      }
    }
  }

  void after() {
    expect(deques_[0]->looks_empty(), "nothing is left after the last join");
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
  using deque = work_stealing::private_deque<slot, M, Orderings>;

  // Asks, looks once whether it was given a job, and withdraws.
  slot* asked_for(deque& victim, typename deque::hand& own) {
    if (!victim.ask(own)) return nullptr;
    M::spin();
    if (slot* const given = deque::received(own)) return given;
    if (victim.withdraw(own)) return nullptr;
    slot* given = nullptr;
    while ((given = deque::received(own)) == nullptr) M::spin();
    return given;
  }

  void play(const char* script) {
    for (; *script != '\0'; ++script) {
      if (*script == '+') fork();
      if (*script == '-') join("");
      if (*script == 'w') join(script_.meanwhile);
      if (*script == 'P') deques_[0]->answer(slots_[depth_ - 1]);
    }
  }

  void fork() {
    expect(depth_ < script_.slots, "a script keeps to its slots");
    slots_[depth_].payload.write(forked_++);
    deques_[0]->push(slots_[depth_], a_job);
    ++depth_;
  }

  void join(const char* while_waiting) {
    slot& topmost = slots_[depth_ - 1];
    if (deques_[0]->take_back(topmost)) {
      run(topmost.payload.read());
    } else {
      play(while_waiting);
      expect(&topmost == &slots_[depth_ - 1], "who waits joins what it has forked meanwhile");
      while (!topmost.finished.done()) M::spin();
      topmost.finished.reset();
      deques_[0]->retire(topmost);
      expect(runs_[topmost.payload.read()] == 1, "a stolen job has run when its latch is open");
    }
    --depth_;
  }

  void run_stolen(slot& found) {
    kind* const of = found.entry.kind(order::relaxed);
    expect(of == &a_job, "an open slot tells the kind of its job");
    const std::size_t id = found.payload.read();
    run(id);
    found.payload.write(id);
    static_cast<void>(found.finished.set());
  }

  void run(std::size_t id) { expect(++runs_[id] == 1, "no job runs twice"); }

  const private_script& script_ = *private_script_now;
  std::array<slot, most_slots + 1> slots_;
  std::array<boxed<deque>, 2> deques_;  // The second one's owner never answers.
  std::array<boxed<typename deque::hand>, Thieves> hands_;
  std::size_t depth_ = 0;
  std::size_t forked_ = 0;
  std::array<int, most_jobs> runs_{};  // the suite's own record, no part of what is checked
};

/// Plays `script` with as many thieves as have one.
template <class M, const private_orderings& Orderings>
[[nodiscard]] verdict play_private(const private_script& script, const search& s,
                                   std::ostream& log) {
  private_script_now = &script;
  if (script.thieves[1] == nullptr) return explore<private_suite<M, 1, Orderings>>(s, log);
  return explore<private_suite<M, 2, Orderings>>(s, log);
}

}  // namespace stealbench::verify
