// A job's slot without an engine around it, for tests of one worker's queue.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/options.hpp"

namespace stealbench::engine {

/// Counts the looks that a machine in simulated time charges for, since the latest test_queues.
struct looking_machine : std_machine {
  static inline unsigned looks = 0;
  static void charge(cost /*of a look*/) { ++looks; }
};

/// On which something happens once, right before an exchange: what another thread may do there.
struct interrupted_machine : std_machine {
  static inline std::function<void()> meanwhile;
  static void interrupt() {
    if (const auto act = std::exchange(meanwhile, nullptr)) act();
  }

  template <class T>
  class atomic : public std_machine::atomic<T> {
    using base = std_machine::atomic<T>;

   public:
    using base::base;
    bool compare_exchange_strong(T& seen, T wanted, order taken, order failed) {
      interrupt();
      return base::compare_exchange_strong(seen, wanted, taken, failed);
    }
  };
};

/// `Links` are what the queue keeps in each slot on a looking_machine.
template <class Links>
struct test_slot : Links {
  using machine = looking_machine;
  using kind_type = const int;
  struct lot {
    struct request_flag {};
  };
  struct {
    void open(kind_type& /*kind*/, order /*unused*/) { is_open = true; }
    void close(order /*unused*/) { is_open = false; }
    bool is_open;
  } entry;
};

/// On which something happens once, before a lock is taken; the lock is none.
struct interrupted_locks : interrupted_machine {
  struct mutex {
    static void lock() { interrupt(); }
    static void unlock() {}
  };
};
template <class Links>
struct interrupted_slot : test_slot<Links> {
  using machine = interrupted_locks;
};

/// The queues of all workers of a scheduler. `Queue` is a template over the slot.
template <template <class> class Queue, class Links>
class test_queues {
 public:
  using slot = test_slot<Links>;
  using queue = Queue<slot>;

  explicit test_queues(const schedulers::options& chosen) : shared_(chosen) {
    looking_machine::looks = 0;
    queues_.reserve(chosen.workers);
    for (unsigned i = 0; i < chosen.workers; ++i) {
      queues_.emplace_back(shared_, i, nullptr, nullptr);
    }
  }

  int push(unsigned worker, slot& job) { return queues_[worker].push(job, kind).worker; }
  bool take_back(unsigned worker, slot& job) { return queues_[worker].take_back(job); }
  slot* find_work(unsigned worker) {
    tried = {};
    return queues_[worker].find_work(tried);
  }
  queue& of(unsigned worker) { return queues_[worker]; }

  steal_attempts tried;  ///< Of the latest find_work.

 private:
  static constexpr int kind = 0;
  typename queue::shared shared_;
  std::vector<queue> queues_;
};

}  // namespace stealbench::engine
