// The work-stealing deque of Chase and Lev (SPAA 2005) with the C11 orderings of Lê, Pop, Cohen and
// Zappa Nardelli (PPoPP 2013). The protocol, its edges E1 to E4 and what is not covered are in
// chase_lev_deque.md; verify/work_stealing/chase_lev_deque_relacy.cpp checks this very file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "schedulers/engine/memory_model.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/work_stealing/protocols/deque.hpp"

namespace stealbench::work_stealing {

/// One ordering per atomic operation, so that verify/ can weaken one at a time.
///   E1  a job is published by a store of bottom, and found by a load of bottom;
///   E2  an owner that pops and a thief that steals the same job: one of them sees the other;
///   E3  a slot is reused after the thief that read it has moved top past it;
///   E4  a grown buffer is published by a store of the buffer pointer.
struct chase_lev_orderings {
  using order = engine::order;

  // push, by the owner.
  order push_bottom_load = order::relaxed;  // the owner's own word
  order push_slot = order::relaxed;         // published by push_bottom
  order push_bottom = order::release;       // E1: pairs with steal_bottom
  order push_top = order::acquire;          // E3: pairs with steal_cas; when the buffer looks full

  // Growth, inside a push.
  order grow_read = order::relaxed;    // the owner's own writes
  order grow_write = order::relaxed;   // published by grow_buffer
  order grow_buffer = order::release;  // E4: pairs with steal_buffer

  // pop, by the owner.
  order pop_bottom_load = order::relaxed;  // the owner's own word
  // E1: pairs with steal_bottom. C++20 ended the release sequence at a plain store, so a thief that
  // reads this value sees the jobs below it by this release alone.
  order pop_bottom = order::release;
  order pop_fence = order::seq_cst;           // E2: pairs with steal_fence
  order pop_top = order::relaxed;             // ordered by pop_fence; no data is read through it
  order pop_slot = order::relaxed;            // the owner's own write
  order pop_cas = order::seq_cst;             // E2: races steal_cas; the paper's, free on x86
  order pop_cas_failure = order::relaxed;     // the job is gone: nothing is read
  order pop_bottom_restore = order::release;  // E1, as pop_bottom

  // steal, by a thief.
  order steal_top = order::acquire;          // E2: read before steal_fence
  order steal_fence = order::seq_cst;        // E2: pairs with pop_fence
  order steal_bottom = order::acquire;       // E1: pairs with push_bottom
  order steal_buffer = order::acquire;       // E4: pairs with grow_buffer
  order steal_slot = order::relaxed;         // E1 or E4 has ordered it; steal_cas validates it
  order steal_cas = order::seq_cst;          // E2: the race for the job; E3: pairs with push_top
  order steal_cas_failure = order::relaxed;  // the job is another's: what was read is dropped

  // size_hint and looks_empty, by any thread. A job that no worker takes is below bottom and not
  // below top all the while, whichever of the two is read first; and no job is read through them.
  order hint_top = order::relaxed;
  order hint_bottom = order::relaxed;
};

inline constexpr chase_lev_orderings chase_lev_shipped{};

/// A deque (deque.hpp) of which every operation is O(1) but for a push that grows the buffer,
/// O(size). Memory: the buffer, and the smaller ones that it replaced, together less than two
/// pointers per slot; nothing is given back before destruction.
template <class T, class M = engine::std_machine,
          const chase_lev_orderings& Orderings = chase_lev_shipped>
class chase_lev_deque {
 public:
  using value_type = T;

  static constexpr bool grows = true;
  static constexpr bool has_private_jobs = false;

  chase_lev_deque(std::size_t initial_capacity, std::size_t max_capacity)
      : max_capacity_(max_capacity) {
    check_capacities(initial_capacity, max_capacity);
    buffer* first = buffer::allocate(initial_capacity, nullptr);
    if (first == nullptr) throw std::bad_alloc();
    adopt(first, 0);
    buffer_.store(first, engine::order::relaxed);  // the constructor's end publishes the deque
    M::name(top_, "deques: top");
    M::name(bottom_, "deques: bottom");
  }

  ~chase_lev_deque() {
    for (buffer* b = newest_; b != nullptr;) b = buffer::release(b);
  }

  /// Owner only. Wait-free but for an allocation.
  [[nodiscard]] bool push(T job) {
    const std::int64_t bottom = bottom_.load(Orderings.push_bottom_load);
    if (bottom >= full_at_ && !make_room(bottom)) [[unlikely]] {
      return false;
    }
    array_[index_of(bottom, mask_)].store(job, Orderings.push_slot);
    bottom_.store(bottom + 1, Orderings.push_bottom);
    return true;
  }

  /// Owner only. Wait-free.
  [[nodiscard]] T pop() {
    const std::int64_t bottom = bottom_.load(Orderings.pop_bottom_load) - 1;
    bottom_.store(bottom, Orderings.pop_bottom);
    M::fence(Orderings.pop_fence);
    const std::int64_t top = top_.load(Orderings.pop_top);
    if (top < bottom) [[likely]] {  // at least one more job is between the thieves and this one
      return array_[index_of(bottom, mask_)].load(Orderings.pop_slot);
    }
    return pop_last(bottom, top);
  }

  /// Any thread but the owner. Lock-free: `lost` means that another thread took it.
  [[nodiscard]] stolen<T> steal() {
    std::int64_t top = top_.load(Orderings.steal_top);  // before the fence, for E2
    M::fence(Orderings.steal_fence);
    const std::int64_t bottom = bottom_.load(Orderings.steal_bottom);
    if (top >= bottom) return {steal_outcome::empty, nullptr};
    // After bottom: whoever published the job had published the buffer that holds it.
    buffer* current = buffer_.load(Orderings.steal_buffer);
    // Before the exchange: afterwards the owner may reuse the slot. If top has moved by now the
    // slot may hold any job, or none, and the exchange fails.
    T job = current->array()[index_of(top, current->mask.read())].load(Orderings.steal_slot);
    if (!top_.compare_exchange_strong(top, top + 1, Orderings.steal_cas,
                                      Orderings.steal_cas_failure)) {
      return {steal_outcome::lost, nullptr};
    }
    return {steal_outcome::taken, job};
  }

  [[nodiscard]] std::size_t size_hint() const {
    const std::int64_t top = top_.load(Orderings.hint_top);
    const std::int64_t bottom = bottom_.load(Orderings.hint_bottom);
    return bottom > top ? static_cast<std::size_t>(bottom - top) : 0;
  }

  [[nodiscard]] bool looks_empty() const { return size_hint() == 0; }

  [[nodiscard]] std::size_t capacity() const { return mask_ + 1; }

  /// Of the buffer and those that it replaced.
  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = 0;
    for (const buffer* b = newest_; b != nullptr; b = b->previous) {
      sum += buffer::bytes_for(b->mask.read() + 1);
    }
    return sum;
  }

 private:
  using slot = typename M::template atomic<T>;

  // A header and its slots in one allocation: a steal follows one pointer, not two.
  struct buffer {
    buffer* previous;  // the buffer that this one replaced; read by the destructor alone
    // Plain: a thief that read the pointer by E4 sees it.
    typename M::template plain<std::size_t> mask;

    buffer(std::size_t capacity, buffer* replaced) : previous(replaced), mask(capacity - 1) {
      std::uninitialized_value_construct_n(array(), capacity);
    }

    [[nodiscard]] slot* array() { return reinterpret_cast<slot*>(this + 1); }

    [[nodiscard]] static std::size_t bytes_for(std::size_t capacity) {
      return sizeof(buffer) + capacity * sizeof(slot);
    }

    // Null if there is no memory.
    [[nodiscard]] static buffer* allocate(std::size_t capacity, buffer* replaced) {
      static_assert(sizeof(buffer) % alignof(slot) == 0);
      static_assert(alignof(buffer) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__ &&
                    alignof(slot) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
      void* memory = ::operator new(bytes_for(capacity), std::nothrow);
      return memory == nullptr ? nullptr : ::new (memory) buffer(capacity, replaced);
    }

    // Frees a buffer and returns the one that it replaced.
    static buffer* release(buffer* b) {
      buffer* const previous = b->previous;
      std::destroy_n(b->array(), b->mask.read() + 1);
      std::destroy_at(b);
      ::operator delete(b);
      return previous;
    }
  };

  [[nodiscard]] static std::size_t index_of(std::int64_t position, std::size_t mask) {
    return static_cast<std::size_t>(position) & mask;
  }

  // The owner's view of the buffer that it writes to.
  void adopt(buffer* b, std::int64_t top) {
    newest_ = b;
    array_ = b->array();
    mask_ = b->mask.read();
    full_at_ = top + static_cast<std::int64_t>(mask_ + 1);
  }

  // One job or none was left. Either way the deque is empty afterwards, with top == bottom.
  [[nodiscard, gnu::noinline, gnu::cold]] T pop_last(std::int64_t bottom, std::int64_t top) {
    T job = nullptr;
    if (top == bottom && top_.compare_exchange_strong(top, bottom + 1, Orderings.pop_cas,
                                                      Orderings.pop_cas_failure)) {
      job = array_[index_of(bottom, mask_)].load(Orderings.pop_slot);
    }
    bottom_.store(bottom + 1, Orderings.pop_bottom_restore);
    return job;
  }

  // Called when the buffer was full as far as the owner knew. Makes bottom's slot writable, by
  // looking at how far the thieves have come or by growing; false if neither helps.
  [[nodiscard, gnu::noinline, gnu::cold]] bool make_room(std::int64_t bottom) {
    const std::int64_t top = top_.load(Orderings.push_top);
    const std::size_t old_capacity = mask_ + 1;
    full_at_ = top + static_cast<std::int64_t>(old_capacity);
    if (bottom < full_at_) return true;
    if (old_capacity == max_capacity_) return false;

    buffer* bigger = buffer::allocate(2 * old_capacity, newest_);
    if (bigger == nullptr) return false;
    const std::size_t bigger_mask = bigger->mask.read();
    for (std::int64_t i = top; i < bottom; ++i) {
      T job = array_[index_of(i, mask_)].load(Orderings.grow_read);
      bigger->array()[index_of(i, bigger_mask)].store(job, Orderings.grow_write);
    }
    adopt(bigger, top);
    buffer_.store(bigger, Orderings.grow_buffer);
    return true;
  }

  // Thieves' line: written by every thief and by an owner that takes the last job. Never decreases.
  alignas(line_bytes) typename M::template atomic<std::int64_t> top_{0};

  // Owner's line: written by the owner alone; thieves read bottom_ and buffer_.
  alignas(line_bytes) typename M::template atomic<std::int64_t> bottom_{0};
  // bottom may reach this without overwriting a job: a value of top, once read, plus the capacity.
  // As top never decreases, an old value of it only makes the owner look again too early.
  std::int64_t full_at_ = 0;
  slot* array_ = nullptr;     // newest_->array()
  std::size_t mask_ = 0;      // newest_->mask
  buffer* newest_ = nullptr;  // what buffer_ holds, and the head of the list of retired buffers
  const std::size_t max_capacity_;
  typename M::template atomic<buffer*> buffer_;
};

static_assert(deque<chase_lev_deque<int*>>);

}  // namespace stealbench::work_stealing
