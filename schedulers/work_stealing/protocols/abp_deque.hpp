// The work-stealing deque of Arora, Blumofe and Plaxton (SPAA 1998): a bounded array whose indices
// start over whenever the owner finds it empty, and a tag that tells one such life of the array
// from the next. The protocol, its edges A1 to A4 and what is not covered are in abp_deque.md;
// verify/work_stealing/abp_deque_relacy.cpp checks this very file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "schedulers/engine/memory_model.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/work_stealing/protocols/deque.hpp"

namespace stealbench::work_stealing {

/// One ordering per atomic operation, so that verify/ can weaken one at a time.
///   A1  a job is published by a store of bottom, and found by a load of bottom;
///   A2  an owner that pops and a thief that steals the same job: one of them sees the other;
///   A3  a slot is reused after the thief that read it has moved top past it;
///   A4  a thief that sees the age of a new life does not see a bottom of the one before.
struct abp_orderings {
  using order = engine::order;

  // push, by the owner.
  order push_bottom_load = order::relaxed;  // the owner's own word
  order push_slot = order::relaxed;         // published by push_bottom
  order push_bottom = order::release;       // A1: pairs with steal_bottom

  // pop, by the owner.
  order pop_bottom_load = order::relaxed;   // the owner's own word
  order pop_bottom = order::release;        // A1, as pop_bottom of the Chase-Lev deque
  order pop_fence = order::seq_cst;         // A2: pairs with steal_fence
  order pop_age = order::acquire;           // A3: pairs with steal_cas; A2 is the fence's
  order pop_slot = order::relaxed;          // the owner's own write
  order pop_bottom_empty = order::relaxed;  // published by pop_cas or pop_age_empty
  order pop_cas = order::release;           // A2: races steal_cas; A4: pairs with steal_age
  order pop_cas_failure = order::acquire;   // A3: pairs with steal_cas
  order pop_age_empty = order::release;     // A4: pairs with steal_age

  // steal, by a thief.
  order steal_age = order::acquire;          // A4: pairs with pop_cas and pop_age_empty
  order steal_fence = order::seq_cst;        // A2: pairs with pop_fence
  order steal_bottom = order::acquire;       // A1: pairs with push_bottom
  order steal_slot = order::relaxed;         // ordered by A1; steal_cas validates it
  order steal_cas = order::release;          // A2: the race for the job; A3: pairs with pop_age
  order steal_cas_failure = order::relaxed;  // the job is another's: what was read is dropped

  // size_hint and looks_empty, by any thread: no job is read through them.
  order hint_age = order::relaxed;
  order hint_bottom = order::relaxed;

  bool tags = true;  // A3, A4: each life has a tag of its own. False only in a mutant.
};

inline constexpr abp_orderings abp_shipped{};

/// A deque (deque.hpp) of which every operation is O(1), and none allocates. Memory: one array, of
/// which the operating system commits the pages that are used. A push is refused at the end of the
/// array, though thieves may have emptied its beginning: the indices start over only when the owner
/// finds it empty.
template <class T, class M = engine::std_machine, const abp_orderings& Orderings = abp_shipped>
class abp_deque {
 public:
  using value_type = T;
  static constexpr bool grows = false;
  static constexpr bool has_private_jobs = false;
  /// The longest array, in jobs. As many as a worker has slots for jobs of its own.
  static constexpr std::size_t most_jobs = std::size_t{1} << 20;

  /// The array has `max_capacity` slots, or `most_jobs` if that is less. Both capacities are powers
  /// of two. Throws std::invalid_argument or std::bad_alloc.
  abp_deque(std::size_t initial_capacity, std::size_t max_capacity)
      : capacity_((std::min)(max_capacity, most_jobs)) {
    check_capacities(initial_capacity, max_capacity);
    slots_ = static_cast<slot*>(::operator new(capacity_ * sizeof(slot), std::nothrow));
    if (slots_ == nullptr) throw std::bad_alloc();
    std::uninitialized_default_construct_n(slots_, capacity_);
    M::name(age_, "deques: age");
    M::name(bottom_, "deques: bottom");
  }

  ~abp_deque() {
    std::destroy_n(slots_, capacity_);
    ::operator delete(slots_);
  }

  /// Owner only. False at the end of the array. Wait-free.
  [[nodiscard]] bool push(T job) {
    const std::uint64_t bottom = bottom_.load(Orderings.push_bottom_load);
    if (bottom == capacity_) [[unlikely]] {
      return false;
    }
    slots_[bottom].store(job, Orderings.push_slot);
    bottom_.store(bottom + 1, Orderings.push_bottom);
    return true;
  }

  /// Owner only. Wait-free.
  [[nodiscard]] T pop() {
    std::uint64_t bottom = bottom_.load(Orderings.pop_bottom_load);
    if (bottom == 0) [[unlikely]] {
      return nullptr;
    }
    bottom_.store(--bottom, Orderings.pop_bottom);
    M::fence(Orderings.pop_fence);
    const std::uint64_t age = age_.load(Orderings.pop_age);
    if (top_of(age) < bottom) [[likely]] {  // at least one more is between the thieves and this
      return slots_[bottom].load(Orderings.pop_slot);
    }
    return pop_last(bottom, age);
  }

  /// Any thread but the owner. Lock-free: `lost` means that another thread took it.
  [[nodiscard]] stolen<T> steal() {
    std::uint64_t age = age_.load(Orderings.steal_age);  // before the fence, for A2
    M::fence(Orderings.steal_fence);
    const std::uint64_t bottom = bottom_.load(Orderings.steal_bottom);
    if (bottom <= top_of(age)) return {steal_outcome::empty, nullptr};
    // Before the exchange: afterwards the owner may reuse the slot. If the age has changed by now
    // the slot may hold any job, and the exchange fails.
    T job = slots_[top_of(age)].load(Orderings.steal_slot);
    if (!age_.compare_exchange_strong(age, age + 1, Orderings.steal_cas,
                                      Orderings.steal_cas_failure)) {
      return {steal_outcome::lost, nullptr};
    }
    return {steal_outcome::taken, job};
  }

  [[nodiscard]] std::size_t size_hint() const {
    const std::uint64_t top = top_of(age_.load(Orderings.hint_age));
    const std::uint64_t bottom = bottom_.load(Orderings.hint_bottom);
    return bottom > top ? static_cast<std::size_t>(bottom - top) : 0;
  }

  [[nodiscard]] bool looks_empty() const { return size_hint() == 0; }

  [[nodiscard]] std::size_t capacity() const { return capacity_; }

  /// Once all its pages are used.
  [[nodiscard]] std::size_t bytes() const { return capacity_ * sizeof(slot); }

 private:
  // Without a constructor, so that pages that no job has reached cost no memory.
  using slot = typename M::template zeroed_atomic<T>;

  // An age is a tag above the index of the oldest job.
  static constexpr unsigned top_bits = 21;
  static_assert(most_jobs < std::size_t{1} << top_bits);
  static constexpr std::uint64_t one_tag = std::uint64_t{1} << top_bits;
  static constexpr std::uint64_t top_of(std::uint64_t age) { return age % one_tag; }
  static std::uint64_t next_life(std::uint64_t age) {
    return age - top_of(age) + (Orderings.tags ? one_tag : 0);
  }

  // One job or none was left. Either way the deque is empty afterwards, and its indices start over.
  [[nodiscard, gnu::noinline, gnu::cold]] T pop_last(std::uint64_t bottom, std::uint64_t age) {
    const std::uint64_t anew = next_life(age);
    bottom_.store(0, Orderings.pop_bottom_empty);  // before the age, for A4
    if (top_of(age) == bottom &&
        age_.compare_exchange_strong(age, anew, Orderings.pop_cas, Orderings.pop_cas_failure)) {
      return slots_[bottom].load(Orderings.pop_slot);
    }
    age_.store(anew, Orderings.pop_age_empty);  // The deque is empty: no thief changes it any more.
    return nullptr;
  }

  // Thieves' line: written by every thief, and by an owner that finds the deque empty.
  alignas(line_bytes) typename M::template atomic<std::uint64_t> age_{0};

  // Owner's line: written by the owner alone.
  alignas(line_bytes) typename M::template atomic<std::uint64_t> bottom_{0};
  slot* slots_ = nullptr;
  const std::size_t capacity_;
};

static_assert(deque<abp_deque<int*>>);

}  // namespace stealbench::work_stealing
