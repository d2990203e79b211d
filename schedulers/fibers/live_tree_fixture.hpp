// For tests: the live spawn tree of a program in simulated time, and which worker has which part
// of it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>

#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/fibers/continuation.hpp"
#include "schedulers/fibers/queue_policy.hpp"
#include "schedulers/virtual_machine/machine.hpp"

namespace stealbench::fibers {

/// A node for each closure: a child or first branch from its spawn or fork until it has returned, a
/// second branch from its beginning, since until then it is the rest of its parent.
///
/// A worker has at most one node:
///  - what it runs, and what it is about to run: from the spawn or fork on, or from when it has
///    taken the rest of it out of a queue;
///  - once a closure has returned, the parent: while the worker takes that back, or arrives at its
///    join and perhaps goes on behind it;
///  - none, from when it looks into the queues.
///
/// Plain data: simulated threads switch only where they call the machine.
class live_tree {
 public:
  struct node {
    node* parent = nullptr;
    std::size_t children = 0;
    std::size_t workers = 0;
    bool is_live = true;
  };

  /// A new node, which the calling worker has. Its `parent` may be null.
  node& begin(node* parent) {
    virtual_machine::keep_order();
    node& begun = nodes_.emplace_back(node{.parent = parent});
    if (parent != nullptr) change(*parent, [&] { ++parent->children; });
    unattended_ += is_unattended(begun) ? 1 : 0;
    has(&begun);
    return begun;
  }

  /// The closure returns; the calling worker, which runs it, has the parent.
  void end(node& done) {
    virtual_machine::keep_order();
    change(done, [&] { done.is_live = false; });
    if (done.parent != nullptr) change(*done.parent, [&] { --done.parent->children; });
    has(done.parent);
  }

  /// The calling worker has this node from now on, or none.
  void has(node* what) {
    node*& held = held_[virtual_machine::running.self];
    if (held != nullptr) change(*held, [&] { --held->workers; });
    held = what;
    if (held != nullptr) change(*held, [&] { ++held->workers; });
  }

  /// What the calling worker leaves in a queue while it runs the node that it has.
  void leaves(const void* rest) { owners_[rest] = held_[virtual_machine::running.self]->parent; }
  /// The calling worker will not go on with the node that it has: that is in a queue.
  void leaves_own(const void* rest) { owners_[rest] = held_[virtual_machine::running.self]; }
  /// It has found that.
  void finds(const void* rest) { has(owners_.at(rest)); }

  /// To be called at each step.
  void look() {
    ++steps_;
    steps_unattended_ += unattended_ > 0 ? 1 : 0;
  }
  [[nodiscard]] std::uint64_t steps() const { return steps_; }
  /// Those at which a leaf had no worker.
  [[nodiscard]] std::uint64_t steps_unattended() const { return steps_unattended_; }

 private:
  static bool is_unattended(const node& any) {
    return any.is_live && any.children == 0 && any.workers == 0;
  }
  template <class Change>
  void change(const node& changed, const Change& how) {
    unattended_ -= is_unattended(changed) ? 1 : 0;
    how();
    unattended_ += is_unattended(changed) ? 1 : 0;
  }

  std::deque<node> nodes_;  // Never removed: a worker may have one that has ended meanwhile.
  std::array<node*, virtual_machine::max_workers + 1> held_{};  // By the thread's number.
  std::unordered_map<const void*, node*> owners_;               // Of what was left in queues.
  std::size_t unattended_ = 0;                                  // Leaves that no worker has.
  std::uint64_t steps_ = 0;
  std::uint64_t steps_unattended_ = 0;
};

/// The virtual machine with a lock whose release is its last step: the thief that has taken a rest
/// out of a pool has it when others find it gone, and not only after a system call.
struct spinning_machine : virtual_machine::machine {
  class mutex {
   public:
    // Relaxed: simulated executions are sequentially consistent.
    void lock() {
      while (!try_lock()) spin();
    }
    bool try_lock() { return !taken_.exchange(true, order::relaxed); }
    void unlock() { taken_.store(false, order::relaxed); }

   private:
    atomic<bool> taken_;
  };
};

// One at a time, as simulations are: a queue is made by its scheduler.
inline live_tree* observed = nullptr;

/// A policy whose queues tell the observed tree what is left in them and taken out.
template <class Policy>
struct observed_policy : Policy {
  template <class Fiber>
  struct queue : Policy::template queue<Fiber> {
    using base = typename Policy::template queue<Fiber>;
    using rest_type = continuation<Fiber>;

    using base::base;

    bool push(rest_type& rest, Fiber& running) {
      observed->leaves(&rest);
      return base::push(rest, running);
    }
    rest_type* find_work(engine::steal_attempts& tried, Fiber& spare) {
      observed->has(nullptr);
      rest_type* const found = base::find_work(tried, spare);
      if (found != nullptr) observed->finds(found);
      return found;
    }
    bool comes_first(Fiber& next) {
      observed->leaves_own(&next.rest);
      return base::comes_first(next);
    }
  };
};

}  // namespace stealbench::fibers
