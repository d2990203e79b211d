// All that is under way and all that could be, in the serial order: the list of a depth-first
// schedule. Under a lock.
#pragma once

#include <cstdint>
#include <mutex>

#include "schedulers/engine/memory_model.hpp"

namespace stealbench::depth_first {

enum class stage : std::uint8_t {
  absent,   ///< Not in the list.
  taken,    ///< A worker runs it, or it waits for others.
  ready,    ///< The rest of a fiber, at a fork or a spawn.
  resumed,  ///< A fiber that waited at a join, and can go on.
};

/// What a continuation has in the list; all under the list's lock.
template <class Continuation, class M>
struct list_links {
  typename M::template plain<Continuation*> previous{nullptr};
  typename M::template plain<Continuation*> next{nullptr};
  typename M::template plain<stage> at{stage::absent};
  typename M::template plain<unsigned> worker{0};       ///< Who has made it ready.
  typename M::template plain<std::uint32_t> thefts{0};  ///< How often find_work has taken it.
};

/// A fiber has a place from when it begins until it ends: what it leaves at a fork comes behind
/// it, and a child before the spawner. A search passes what is not ready: the fibers that run,
/// and those that wait at a join.
template <class Continuation, class M>
class serial_list {
  using order = engine::order;

 public:
  serial_list() { M::name(mutex_, "serial list: mutex and ends"); }

  /// The second branch of a fork by the fiber in `forker`.
  void push_behind(Continuation& forker, Continuation& second, unsigned worker) {
    const std::lock_guard hold(mutex_);
    enter(forker);
    insert(second, &forker, forker.next.read());
    make_ready(second, stage::ready, worker);
  }

  /// The fiber in `spawner`, which was left for the fiber in `child`.
  void push_before(Continuation& spawner, Continuation& child, unsigned worker) {
    const std::lock_guard hold(mutex_);
    enter(spawner);
    insert(child, spawner.previous.read(), &spawner);
    child.at.write(stage::taken);
    make_ready(spawner, stage::ready, worker);
  }

  /// Takes a second branch out, if it is the first in the list that is ready.
  bool take_back(Continuation& second) {
    const std::lock_guard hold(mutex_);
    return remove_if(first_ready() == &second, second);
  }
  /// The same wherever in the list it is.
  bool take_back_out_of_turn(Continuation& second) {
    const std::lock_guard hold(mutex_);
    return remove_if(is_ready(second), second);
  }
  /// As take_back, of a fiber that was left at a spawn before which it had been taken `thefts`
  /// times.
  bool take_back(Continuation& spawner, std::uint32_t thefts) {
    const std::lock_guard hold(mutex_);
    if (first_ready() != &spawner || spawner.thefts.read() != thefts) return false;
    spawner.at.write(stage::taken);
    count(-1);
    return true;
  }

  /// The first that is ready, or null. The fiber in `runs_it` will run it if it is a branch, and
  /// has its place. `before` is what it was.
  Continuation* take(Continuation& runs_it, stage& before) {
    if (looks_empty()) return nullptr;  // Those who search must not slow down those who push.
    const std::lock_guard hold(mutex_);
    Continuation* const first = first_ready();
    if (first == nullptr) return nullptr;
    before = first->at.read();
    first->thefts.write(first->thefts.read() + 1);
    first->at.write(stage::taken);
    count(-1);
    if (first->execute != nullptr) {
      insert(runs_it, first->previous.read(), first);
      runs_it.at.write(stage::taken);
      remove(*first);
    }
    return first;
  }

  /// A fiber ends. `next` goes on behind it, in its place.
  void end(Continuation& ended, Continuation* next) {
    const std::lock_guard hold(mutex_);
    if (ended.at.read() == stage::absent) return;
    if (next != nullptr) {
      if (next->at.read() != stage::absent) remove(*next);
      insert(*next, ended.previous.read(), &ended);
      next->at.write(stage::taken);
    }
    remove(ended);
  }

  /// Whether nothing that is ready comes before the fiber. If something does, it is ready itself.
  bool comes_first(Continuation& next, unsigned worker) {
    const std::lock_guard hold(mutex_);
    for (Continuation* each = first_.read(); each != nullptr && each != &next;
         each = each->next.read()) {
      if (!is_ready(*each)) continue;
      make_ready(next, stage::resumed, worker);
      return false;
    }
    return true;
  }

  /// Exact for what was made ready before the call, or is ordered before it by fences
  /// (parking_lot.hpp, K1).
  [[nodiscard]] bool looks_empty() const { return ready_.load(order::relaxed) == 0; }

 private:
  static bool is_ready(const Continuation& each) { return each.at.read() >= stage::ready; }

  // Passes at most the fibers that run and those that wait before it.
  Continuation* first_ready() {
    Continuation* each = first_.read();
    while (each != nullptr && !is_ready(*each)) each = each->next.read();
    return each;
  }

  // The root has no place until it first forks or spawns: it is alone then.
  void enter(Continuation& running) {
    if (running.at.read() != stage::absent) return;
    insert(running, nullptr, first_.read());
    running.at.write(stage::taken);
  }

  void insert(Continuation& between, Continuation* before, Continuation* after) {
    between.previous.write(before);
    between.next.write(after);
    (before != nullptr ? before->next : first_).write(&between);
    if (after != nullptr) after->previous.write(&between);
  }

  bool remove_if(bool may_go, Continuation& second) {
    if (!may_go) return false;
    remove(second);
    count(-1);
    return true;
  }

  void remove(Continuation& gone) {
    Continuation* const before = gone.previous.read();
    Continuation* const after = gone.next.read();
    (before != nullptr ? before->next : first_).write(after);
    if (after != nullptr) after->previous.write(before);
    gone.at.write(stage::absent);
  }

  void make_ready(Continuation& rest, stage as, unsigned worker) {
    rest.at.write(as);
    rest.worker.write(worker);
    count(+1);
  }

  // Changed under the lock alone, so a load and a store make the step; read without it as a hint.
  void count(std::int32_t by) { ready_.store(ready_.load(order::relaxed) + by, order::relaxed); }

  alignas(64) typename M::mutex mutex_;
  typename M::template plain<Continuation*> first_{nullptr};
  typename M::template atomic<std::int32_t> ready_{0};
};

}  // namespace stealbench::depth_first
