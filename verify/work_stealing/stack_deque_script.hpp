// One suite for every scenario of the deques that are a job stack, split and private: what each
// thread does is a script, so that a scenario is a line of a table and Relacy's templates are
// compiled once per deque and number of thieves.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "schedulers/engine/jobs/job_entry.hpp"
#include "schedulers/engine/sleep/latch.hpp"
#include "schedulers/work_stealing/protocols/private_deque.hpp"
#include "schedulers/work_stealing/protocols/split_deque.hpp"
#include "verify/explore.hpp"
#include "verify/mutation.hpp"
#include "verify/work_stealing/scripts.hpp"

namespace stealbench::verify {

struct stack_slot {
  struct kind_type {};
  struct no_sleeper {};
  engine::job_entry<kind_type, relacy_machine> entry;
  engine::latch<no_sleeper, relacy_machine> finished;
  relacy_machine::plain<std::size_t> payload;
};

/// A deque of a stack_suite, and what its scripts' own letters mean.
template <const work_stealing::split_orderings& Orderings>
class split_deque_played
    : public work_stealing::split_deque<stack_slot, relacy_machine, Orderings> {
 public:
  split_deque_played(stack_slot* first, stack_slot* limit)
      : split_deque_played::split_deque(first, limit), eldest_(first) {}
  static constexpr bool thieves_decline = true;

  void owner_does(char act, stack_slot& topmost) {
    using work_stealing::portion;
    if (act == 'S') this->expose(topmost);
    if (act == 'A') this->expose(topmost, portion::all);
    if (act == 'O') this->expose(topmost, portion::oldest);
    if (act == 'R') this->expose_rest(topmost, *eldest_);
  }
  stack_slot* thief_does(char act, unsigned who) {
    const auto got = act == 's' ? this->steal() : this->force(static_cast<std::uint16_t>(who));
    expect((got.outcome == work_stealing::steal_outcome::taken) == (got.job != nullptr),
           "taken means a job");
    return got.job;
  }

 private:
  stack_slot* const eldest_;
};

template <const work_stealing::private_orderings& Orderings>
class private_deque_played
    : public work_stealing::private_deque<stack_slot, relacy_machine, Orderings> {
  using base = work_stealing::private_deque<stack_slot, relacy_machine, Orderings>;

 public:
  private_deque_played(stack_slot* first, stack_slot* limit)
      : base(first, limit), silent_(first, limit) {}
  static constexpr bool thieves_decline = false;

  void owner_does(char act, stack_slot& topmost) {
    if (act == 'P') this->answer(topmost);
  }
  // Asks, looks once whether it was given a job, and withdraws.
  stack_slot* thief_does(char act, unsigned who) {
    base& victim = act == 'v' ? silent_ : *this;
    auto& own = hands_[who - 1];
    if (!victim.ask(own)) return nullptr;
    relacy_machine::spin();
    if (stack_slot* const given = base::received(own)) return given;
    if (victim.withdraw(own)) return nullptr;
    stack_slot* given = nullptr;
    while ((given = base::received(own)) == nullptr) relacy_machine::spin();
    return given;
  }

 private:
  base silent_;  // Of an owner that never answers: asked in vain, and withdrawn from.
  std::array<typename base::hand, 2> hands_{typename base::hand(0U), typename base::hand(0U)};
};

/// What the suites of this executable play. Relacy makes a suite by its default constructor.
inline const stack_script* stack_script_now = nullptr;

/// Invariants: every job runs exactly once and none is lost; its payload is plain data in its slot,
/// written before the fork, by whoever runs the job, and by the next job of that slot, so that
/// Relacy sees any race on it; a join returns when the job has run; a thief that has withdrawn is
/// given nothing.
template <class Deque, rl::thread_id_t Thieves>
class stack_suite : public rl::test_suite<stack_suite<Deque, Thieves>, Thieves + 1> {
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
        if (stack_slot* const got = deque_->thief_does(*act, who)) run_stolen(*got);
      }
    }
  }

  void after() {
    expect(deque_->looks_empty(), "nothing is left after the last join");
    for (std::size_t i = 0; i < forked_; ++i) expect(runs_[i] == 1, "no job is lost");
  }

 private:
  using order = engine::order;
  using kind = stack_slot::kind_type;
  static constexpr std::size_t most_slots = 4;
  static constexpr std::size_t most_jobs = 8;
  static inline kind a_job;
  static inline kind no_job;

  void play(const char* script) {
    for (; *script != '\0'; ++script) {
      if (*script == '+') {
        fork();
      } else if (*script == '-') {
        join("");
      } else if (*script == 'w') {
        join(script_.meanwhile);
      } else {
        deque_->owner_does(*script, slots_[depth_ - 1]);
      }
    }
  }

  void fork() {
    expect(depth_ < script_.slots, "a script keeps to its slots");
    slots_[depth_].payload.write(forked_++);
    deque_->push(slots_[depth_], a_job);
    ++depth_;
  }

  void join(const char* while_waiting) {
    stack_slot& topmost = slots_[depth_ - 1];
    if (deque_->take_back(topmost)) {
      run(topmost.payload.read());
    } else {
      play(while_waiting);
      expect(&topmost == &slots_[depth_ - 1], "who waits joins what it has forked meanwhile");
      while (!topmost.finished.done()) relacy_machine::spin();
      const bool declined = Deque::thieves_decline && topmost.finished.declined();
      topmost.finished.reset();
      deque_->retire(topmost);
      if (declined) run(topmost.payload.read());
      expect(runs_[topmost.payload.read()] == 1, "a stolen job has run when its latch is open");
    }
    --depth_;
  }

  void run_stolen(stack_slot& found) {
    kind* const job_kind = found.entry.kind(order::relaxed);
    if (Deque::thieves_decline && job_kind == nullptr) {
      static_cast<void>(found.finished.decline());
      return;
    }
    expect(job_kind == &a_job, "an open slot tells the kind of its job");
    const std::size_t id = found.payload.read();
    run(id);
    found.payload.write(id);
    static_cast<void>(found.finished.set());
  }

  void run(std::size_t id) { expect(++runs_[id] == 1, "no job runs twice"); }

  const stack_script& script_ = *stack_script_now;
  std::array<stack_slot, most_slots + 1> slots_;
  std::optional<Deque> deque_;
  std::size_t depth_ = 0;
  std::size_t forked_ = 0;
  std::array<int, most_jobs> runs_{};  // the suite's own record, no part of what is checked
};

/// Plays `script` with as many thieves as have one.
template <class Deque>
[[nodiscard]] verdict play(const stack_script& script, const search& s) {
  stack_script_now = &script;
  if (script.thieves[1] == nullptr) return explore<stack_suite<Deque, 1>>(s);
  return explore<stack_suite<Deque, 2>>(s);
}

template <class Deque>
[[nodiscard]] check scenario(const char* name, const char* sentence, const stack_script& script,
                             std::vector<search> searches) {
  return {name, sentence, std::move(searches),
          [=](const search& s) { return play<Deque>(script, s); }};
}

template <class Deque>
[[nodiscard]] trial script(const char* name, const stack_script& played, const search& deep) {
  return {name, played.thieves[1] == nullptr ? 2 : 3, deep,
          [played](const search& s) { return play<Deque>(played, s); }};
}

}  // namespace stealbench::verify
