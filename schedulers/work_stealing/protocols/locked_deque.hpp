// The baseline: a deque under a mutex. locked_deque.md says what it is there for;
// verify/work_stealing/locked_deque_relacy.cpp checks this very file.
#pragma once

#include <cstddef>
#include <mutex>
#include <new>

#include "schedulers/engine/memory_model.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/work_stealing/protocols/deque.hpp"

namespace stealbench::work_stealing {

///   L1  whatever the deque holds, and whatever a job's owner wrote before the push, is handed on
///       by the mutex: the unlock of one operation pairs with the lock of the next.
struct locked_orderings {
  using order = engine::order;

  bool push_locks = true;             // L1. False only in a mutant.
  bool pop_locks = true;              // L1. False only in a mutant.
  bool steal_locks = true;            // L1. False only in a mutant.
  order read_size = order::relaxed;   // under the mutex, which orders it: L1
  order write_size = order::relaxed;  // under the mutex; to the loads without it, size is a hint
  order look = order::relaxed;        // no job is read through it: who takes one locks first
};
inline constexpr locked_orderings locked_shipped{};

/// A deque (deque.hpp) of which every operation takes one lock for O(1) steps, but for a push that
/// grows the buffer, O(size), and a steal from a deque that looks empty, which takes none.
/// Blocking: a thread that is preempted with the lock stops all others. Memory: one buffer.
template <class T, class M = engine::std_machine,
          const locked_orderings& Orderings = locked_shipped>
class locked_deque {
 public:
  using value_type = T;
  static constexpr bool grows = true;
  static constexpr bool has_private_jobs = false;

  locked_deque(std::size_t initial_capacity, std::size_t max_capacity)
      : max_capacity_(max_capacity) {
    check_capacities(initial_capacity, max_capacity);
    slots_.write(new (std::nothrow) slot[initial_capacity]);
    if (slots_.read() == nullptr) throw std::bad_alloc();
    capacity_.write(initial_capacity);
    M::name(mutex_, "deques: mutex and ends");
  }

  ~locked_deque() { delete[] slots_.read(); }

  /// Owner only.
  [[nodiscard]] bool push(T job) {
    const auto lock = hold(Orderings.push_locks);
    const std::size_t size = size_.load(Orderings.read_size);
    if (size == capacity_.read() && !grow()) return false;
    from_oldest(size).write(job);
    size_.store(size + 1, Orderings.write_size);
    return true;
  }

  /// Owner only.
  [[nodiscard]] T pop() {
    const auto lock = hold(Orderings.pop_locks);
    const std::size_t size = size_.load(Orderings.read_size);
    if (size == 0) return nullptr;
    size_.store(size - 1, Orderings.write_size);
    return from_oldest(size - 1).read();
  }

  /// Any thread. Never `lost`: who waits for the lock finds what is left then.
  [[nodiscard]] stolen<T> steal() {
    if (looks_empty()) return {steal_outcome::empty, nullptr};  // Thieves must not delay an owner.
    const auto lock = hold(Orderings.steal_locks);
    const std::size_t size = size_.load(Orderings.read_size);
    if (size == 0) return {steal_outcome::empty, nullptr};
    T job = from_oldest(0).read();
    oldest_.write(index_of(1));
    size_.store(size - 1, Orderings.write_size);
    return {steal_outcome::taken, job};
  }

  /// Without the lock.
  [[nodiscard]] std::size_t size_hint() const { return size_.load(Orderings.look); }

  [[nodiscard]] bool looks_empty() const { return size_hint() == 0; }

  /// Its owner alone changes it.
  [[nodiscard]] std::size_t capacity() const { return capacity_.read(); }

  [[nodiscard]] std::size_t bytes() const { return capacity() * sizeof(slot); }

 private:
  using mutex = typename M::mutex;
  // Plain, as all that the mutex guards: the checker sees an access without it.
  using slot = typename M::template plain<T>;

  // Held, unless a mutant leaves it out.
  [[nodiscard]] std::unique_lock<mutex> hold(bool wanted) {
    return wanted ? std::unique_lock(mutex_) : std::unique_lock<mutex>();
  }

  // Where the job is that has n older ones. Under the lock.
  [[nodiscard]] std::size_t index_of(std::size_t n) const {
    return (oldest_.read() + n) & (capacity_.read() - 1);
  }
  [[nodiscard]] slot& from_oldest(std::size_t n) { return slots_.read()[index_of(n)]; }

  // Under the lock, the buffer being full. Thieves read it under the lock too, so that the old one
  // can go at once. False at the maximal capacity or without memory.
  [[nodiscard, gnu::noinline, gnu::cold]] bool grow() {
    const std::size_t old_capacity = capacity_.read();
    if (old_capacity == max_capacity_) return false;
    slot* const bigger = new (std::nothrow) slot[2 * old_capacity];
    if (bigger == nullptr) return false;
    for (std::size_t i = 0; i < old_capacity; ++i) bigger[i].write(from_oldest(i).read());
    delete[] slots_.read();
    slots_.write(bigger);
    capacity_.write(2 * old_capacity);
    oldest_.write(0);
    return true;
  }

  // One line for all, apart from its neighbours in memory: who has the lock uses the rest as well.
  alignas(line_bytes) mutex mutex_;
  typename M::template atomic<std::size_t> size_{0};     // written under mutex_; read without it
  typename M::template plain<std::size_t> oldest_{0};    // under mutex_
  typename M::template plain<std::size_t> capacity_{0};  // under mutex_; written by the owner alone
  typename M::template plain<slot*> slots_{nullptr};     // under mutex_; written by the owner alone
  const std::size_t max_capacity_;
};

static_assert(deque<locked_deque<int*>>);

}  // namespace stealbench::work_stealing
