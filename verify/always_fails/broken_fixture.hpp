// What the suites of deques and of the engine must not accept.
#pragma once

#include <deque>
#include <functional>
#include <utility>

#include "schedulers/work_stealing/protocols/locked_deque.hpp"
#include "verify/engine/playing.hpp"

namespace stealbench::verify::broken {

enum class member { pop, steal, push, looks_empty };

/// A deque of which one member does what another one should, or does it always or never.
template <member Broken>
struct in {
  template <class T>
  struct deque : work_stealing::locked_deque<T, relacy_machine> {
    using sound = work_stealing::locked_deque<T, relacy_machine>;
    using sound::sound;
    T pop() { return Broken == member::pop ? sound::steal().job : sound::pop(); }
    work_stealing::stolen<T> steal() {
      if (Broken != member::steal) return sound::steal();
      return {work_stealing::steal_outcome::taken, sound::pop()};
    }
    bool push(T job) {
      return (Broken != member::push || !std::exchange(has_pushed, true)) && sound::push(job);
    }
    bool looks_empty() const { return Broken != member::looks_empty && sound::looks_empty(); }
    bool has_pushed = false;
  };
};

/// A cast no part of which is as it is by default.
inline constexpr cast other{3,
                            schedulers::join_policy::wait,
                            work_stealing::victim_choice::random,
                            work_stealing::exposure::always,
                            work_stealing::steal_amount::half,
                            schedulers::searcher_limit::all,
                            schedulers::loop_split::eager};

/// A child runs at the end of the run, whatever waits for it, and no loop runs.
class scheduler {
 public:
  using machine = relacy_machine;
  explicit scheduler(const schedulers::options& o) {
    const auto own = schedulers::own_options<work_stealing::options>(o);
    const cast all{o.workers, o.join, own.victim, own.expose, own.amount, o.searchers, o.split};
    expect(all != other, "every part of the other cast has arrived");
  }
  void run(auto body) {
    body(this);
    for (; !children_.empty(); children_.pop_front()) children_.front()();
  }
  void parallel_for(auto... /*unused*/) {}
  struct group {
    void spawn(auto child) { all->children_.emplace_back(std::bind_front(child, all)); }
    void sync() {}
    scheduler* all;
  };
  group task_group() { return {this}; }

 private:
  std::deque<std::function<void()>> children_;  // A child may add one while it runs.
};

}  // namespace stealbench::verify::broken
