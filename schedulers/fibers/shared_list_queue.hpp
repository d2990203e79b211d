// A worker's queue that is its view of one list of continuations, which all workers share.
#pragma once

#include <cstdint>

#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/engine/sleep/parking_lot.hpp"
#include "schedulers/engine/steal_attempts.hpp"
#include "schedulers/fibers/continuation.hpp"
#include "schedulers/options.hpp"

namespace stealbench::fibers {

/// The base of such queues, which push and find. `List` has `take_back(rest, ticket)` and
/// `looks_empty()`, and a continuation in it the `worker` that has left it there.
template <class Fiber, class List>
class shared_list_queue {
 public:
  static constexpr engine::capabilities can{};

  struct shared {
    explicit shared(const schedulers::options& chosen) : workers(chosen.workers) {}

    const unsigned workers;
    List list;
  };

  shared_list_queue(shared& all, unsigned index)
      : list(all.list), own_index(index), workers_(all.workers), latest_(index) {
    Fiber::machine::name(requested, "workers: requests for work");
  }

  /// A spawner that was stolen may be in the list again, for another child: which of them it is
  /// there for shows by how often it was stolen. Of the fiber that pushes next.
  using ticket = std::uint32_t;
  static ticket ticket_of(const continuation<Fiber>& spawner) { return spawner.thefts.read(); }
  bool take_back(continuation<Fiber>& spawner, ticket of_push) {
    return list.take_back(spawner, of_push);
  }

  [[nodiscard]] unsigned latest_victim() const { return latest_victim_; }
  [[nodiscard]] bool has_work() const { return !list.looks_empty(); }
  [[nodiscard]] bool sees_more() const { return has_work(); }

  alignas(64) typename engine::parking_lot<typename Fiber::machine>::request_flag requested;

 protected:
  ~shared_list_queue() = default;

  // Takes down how a look has ended.
  continuation<Fiber>* looked(continuation<Fiber>* found, engine::steal_attempts& tried) {
    if (found != nullptr) {
      ++tried.taken;
      latest_victim_ = found->worker.read();
    } else {
      ++tried.empty;
      tried.latest = latest_ = (latest_ + 1) % workers_;
    }
    return found;
  }

  List& list;
  const unsigned own_index;

 private:
  const unsigned workers_;
  unsigned latest_;  // The worker asked for work last: each in turn, since a loop may go on at any.
  unsigned latest_victim_ = 0;
};

}  // namespace stealbench::fibers
