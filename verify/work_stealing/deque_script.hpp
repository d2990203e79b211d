// One suite for every scenario of every deque: what each thread does is a script, so that a
// scenario is a line of a table and Relacy's templates are compiled once per deque and number of
// thieves.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "schedulers/work_stealing/protocols/deque.hpp"
#include "verify/explore.hpp"
#include "verify/mutation.hpp"
#include "verify/work_stealing/scripts.hpp"

namespace stealbench::verify {

using work_stealing::steal_outcome;

/// What the suites of this executable play. Relacy makes a suite by its default constructor.
inline const deque_script* deque_script_now = nullptr;

/// Invariants: every job runs exactly once and none is lost; its payload is plain data, written
/// before the push and by whoever takes the job, so that Relacy sees any race on it; a pop gives
/// the youngest job that is left; one thief's loot comes oldest first; a push is refused only at
/// the maximal capacity. `Deque<T>` is the deque of `T` over a model of relacy_machine.hpp.
template <rl::thread_id_t Thieves, template <class> class Deque>
class deque_suite : public rl::test_suite<deque_suite<Thieves, Deque>, Thieves + 1> {
 public:
  void before() {
    deque_.emplace(script_.capacity, script_.max_capacity);
    play(script_.before);
  }

  void thread(unsigned who) {
    if (who == 0) {
      play(script_.owner);
    } else {
      for (int i = 0; i < script_.steals; ++i) steal(who);
    }
  }

  void after() {
    while (pop()) {
    }
    expect(deque_->looks_empty(), "nothing is left after the last pop");
    for (std::size_t i = 0; i < pushed_; ++i) expect(jobs_[i].runs == 1, "no job is lost");
  }

 private:
  static constexpr std::size_t most_jobs = 8;

  struct job {
    relacy_machine::plain<std::size_t> payload;
    int runs = 0;  // the suite's own record, no part of what is checked
  };
  static_assert(work_stealing::deque<Deque<job*>>);

  void play(const char* script) {
    for (; *script != '\0'; ++script) {
      if (*script == '+') push();
      if (*script == '-') pop();
      if (*script == 's') steal(0);
      if constexpr (requires(Deque<job*> & own) { own.expose(); }) {
        if (*script == 'e') deque_->expose();
      }
    }
  }

  void push() {
    const std::size_t id = pushed_++;
    jobs_[id].payload.write(id);
    if (deque_->push(&jobs_[id])) {
      owned_[depth_++] = id;
    } else {
      expect(depth_ >= script_.max_capacity, "a push is refused only if the deque is full");
      run(&jobs_[id]);
    }
  }

  bool pop() {
    job* taken = deque_->pop();
    if (taken == nullptr) {
      depth_ = 0;  // all that was left must have been stolen; after() sees whether it was
      return false;
    }
    expect(depth_ > 0 && owned_[depth_ - 1] == run(taken), "a pop gives the youngest job left");
    --depth_;
    return true;
  }

  void steal(unsigned who) {
    const auto [outcome, taken] = deque_->steal();
    expect((outcome == steal_outcome::taken) == (taken != nullptr), "taken means a job");
    if (taken == nullptr) return;
    const std::size_t id = run(taken);
    expect(next_loot_[who] <= id, "steals give the oldest job first");
    next_loot_[who] = id + 1;
  }

  std::size_t run(job* taken) {
    const std::size_t id = taken->payload.read();
    expect(taken == &jobs_[id], "the payload is the one that was pushed");
    expect(++taken->runs == 1, "no job runs twice");
    taken->payload.write(id);
    return id;
  }

  const deque_script& script_ = *deque_script_now;
  std::optional<Deque<job*>> deque_;
  std::array<job, most_jobs> jobs_;
  std::size_t pushed_ = 0;
  // The jobs that the owner has neither popped nor found gone, oldest first.
  std::array<std::size_t, most_jobs> owned_{};
  std::size_t depth_ = 0;
  std::array<std::size_t, Thieves + 1> next_loot_{};
};

/// Plays `script` with 1, 2 or 3 thieves.
template <template <class> class Deque>
[[nodiscard]] verdict play(const deque_script& script, int thieves, const search& s) {
  deque_script_now = &script;
  if (thieves == 1) return explore<deque_suite<1, Deque>>(s);
  if (thieves == 2) return explore<deque_suite<2, Deque>>(s);
  return explore<deque_suite<3, Deque>>(s);
}

template <template <class> class Deque>
[[nodiscard]] check scenario(const deque_trial& played, std::vector<search> searches,
                             const std::string& suffix = {}) {
  return {played.name + suffix, played.claim, std::move(searches),
          [played](const search& s) { return play<Deque>(played.script, played.thieves, s); }};
}

template <template <class> class Deque>
[[nodiscard]] check scenario(const char* name, const char* claim, int thieves,
                             const deque_script& acts, std::vector<search> searches) {
  return scenario<Deque>(deque_trial(name, thieves, acts, claim), std::move(searches));
}

template <template <class> class Deque>
[[nodiscard]] trial script(const deque_trial& played, const search& deep,
                           const std::string& suffix = {}) {
  return {played.name + suffix, played.thieves + 1, deep,
          [played](const search& s) { return play<Deque>(played.script, played.thieves, s); }};
}

/// K1 of engine/sleep/parking_lot.hpp, as the deque must bear it out: an owner pushes, passes a
/// light fence and looks for sleepers; a thief says that it sleeps, passes a heavy fence and looks
/// for jobs. One of them sees the other. Without `Fenced` the thief leaves out its fence: the
/// negative test.
template <class M, template <class> class Deque, bool Fenced>
class sleeper_suite : public rl::test_suite<sleeper_suite<M, Deque, Fenced>, 2> {
 public:
  void before() { deque_.emplace(1U, 2U); }

  void thread(unsigned who) {
    if (who == 0) {
      expect(deque_->push(&job_), "there is room");
      M::light_fence();
      owner_looks_on_ = sleeping_.load(engine::order::relaxed) == 0;
    } else {
      sleeping_.store(1, engine::order::relaxed);
      if (Fenced) M::heavy_fence();
      thief_sleeps_ = deque_->looks_empty();
    }
  }

  void after() {
    expect(!(owner_looks_on_ && thief_sleeps_),
           "no thief sleeps beside a job that was not announced");
    expect(deque_->pop() == &job_, "the job is still there");
  }

 private:
  std::optional<Deque<int*>> deque_;
  relacy_machine::atomic<int> sleeping_;
  int job_ = 0;
  bool owner_looks_on_ = false;  // the suite's own record, as is the next
  bool thief_sleeps_ = false;
};

template <class M, template <class> class Deque, bool Fenced = true>
[[nodiscard]] check sleeper(const char* name, const char* sentence) {
  return check_of<sleeper_suite<M, Deque, Fenced>>(name, sentence, {full, random(100'000)},
                                                   Fenced ? passes : "USER ASSERT FAILED");
}

}  // namespace stealbench::verify
