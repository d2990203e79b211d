// The one pool of continuations of all workers, under a lock.
#pragma once

#include <cstdint>

#include "schedulers/engine/memory_model.hpp"

namespace stealbench::busy_leaves {

/// What a continuation has while it is in the pool; all under the pool's lock.
template <class Continuation, class M>
struct pool_links {
  typename M::template plain<Continuation*> previous{nullptr};
  typename M::template plain<Continuation*> next{nullptr};
  typename M::template plain<bool> listed{false};
  typename M::template plain<unsigned> worker{0};  ///< Who has put it there.
  /// How often a worker that looked for work has taken it. It is a suspended strand, and its
  /// children tell by that number whether it is there for them.
  typename M::template plain<std::uint32_t> thefts{0};
};

/// The oldest first. Any thread; each operation takes constant time.
template <class Continuation, class M>
class continuation_pool {
  using order = engine::order;

 public:
  continuation_pool() { M::name(mutex_, "continuation pool: mutex and ends"); }

  void push(Continuation& rest, unsigned worker) {
    const locked hold{mutex_};
    Continuation* const before = newest_.read();
    rest.previous.write(before);
    rest.next.write(nullptr);
    rest.listed.write(true);
    rest.worker.write(worker);
    if (before != nullptr) {
      before->next.write(&rest);
    } else {
      oldest_.write(&rest);
    }
    newest_.write(&rest);
    count(+1);
  }

  /// The oldest one, or null.
  Continuation* take() {
    if (looks_empty()) return nullptr;  // Those who search must not slow down those who push.
    const locked hold{mutex_};
    Continuation* const oldest = oldest_.read();
    if (oldest == nullptr) return nullptr;
    unlink(*oldest);
    oldest->thefts.write(oldest->thefts.read() + 1);
    return oldest;
  }

  /// Takes this one out, unless it was taken since a push before which it had been `thefts` times.
  bool take_back(Continuation& rest, std::uint32_t thefts) {
    const locked hold{mutex_};
    if (!rest.listed.read() || rest.thefts.read() != thefts) return false;
    unlink(rest);
    return true;
  }

  /// Exact for continuations whose push happens before, or is ordered before by fences
  /// (parking_lot.hpp, K1).
  [[nodiscard]] bool looks_empty() const { return size_.load(order::relaxed) == 0; }

 private:
  struct locked {
    typename M::mutex& mutex;
    explicit locked(typename M::mutex& m) : mutex(m) { mutex.lock(); }
    locked(const locked&) = delete;
    locked& operator=(const locked&) = delete;
    ~locked() { mutex.unlock(); }
  };

  void unlink(Continuation& rest) {
    Continuation* const before = rest.previous.read();
    Continuation* const after = rest.next.read();
    if (before != nullptr) {
      before->next.write(after);
    } else {
      oldest_.write(after);
    }
    if (after != nullptr) {
      after->previous.write(before);
    } else {
      newest_.write(before);
    }
    rest.listed.write(false);
    count(-1);
  }

  // Changed under the lock alone, so a load and a store make the step; read without it as a hint.
  void count(std::int32_t by) { size_.store(size_.load(order::relaxed) + by, order::relaxed); }

  alignas(64) typename M::mutex mutex_;
  typename M::template plain<Continuation*> oldest_{nullptr};
  typename M::template plain<Continuation*> newest_{nullptr};
  typename M::template atomic<std::int32_t> size_{0};
};

}  // namespace stealbench::busy_leaves
