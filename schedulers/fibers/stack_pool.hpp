// Where fibers without a job, and so their stacks, are kept: a list of each worker, and one that
// all share.
#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "schedulers/fibers/stack_memory.hpp"
#include "schedulers/operating_system/context.hpp"

namespace stealbench::fibers {

/// Of all workers of a scheduler.
template <class Fiber>
class stack_pool {
  using machine = typename Fiber::machine;
  using memory = typename stack_memory_on<machine>::type;

 public:
  explicit stack_pool(std::size_t stack_bytes) : stack_bytes_(stack_bytes) {
    machine::name(mutex_, "fibers: mutex of the shared stacks");
  }

  /// A new stack. Any thread. Throws std::system_error if there is no address space for it, and
  /// std::bad_alloc.
  [[nodiscard]] Fiber* make() {
    auto added = std::make_unique<stack>(stack_bytes_);
    Fiber* const on_it = added->on_it;
    const std::lock_guard hold(mutex_);
    stacks_.push_back(std::move(added));
    return on_it;
  }

  /// Up to `wanted` stacks that are not in use, as a list. Any thread.
  [[nodiscard]] Fiber* take(std::size_t wanted, std::size_t& taken) {
    taken = 0;
    const std::lock_guard hold(mutex_);
    Fiber* const first = free_.read();
    Fiber* last = nullptr;
    for (Fiber* each = first; each != nullptr && taken < wanted; each = each->next_free) {
      last = each;
      ++taken;
    }
    if (last != nullptr) {
      free_.write(last->next_free);
      last->next_free = nullptr;
    }
    return taken == 0 ? nullptr : first;
  }

  /// Gives back a list. Any thread.
  void give(Fiber& first, Fiber& last) {
    const std::lock_guard hold(mutex_);
    last.next_free = free_.read();
    free_.write(&first);
  }

  /// How many stacks there are, and how many bytes of them are in memory. Any thread: also between
  /// runs an idle worker may take another one.
  struct sizes {
    std::size_t stacks = 0;
    std::size_t committed_bytes = 0;
  };
  [[nodiscard]] sizes measure() const {
    const std::lock_guard hold(mutex_);
    sizes sum{.stacks = stacks_.size()};
    for (const auto& each : stacks_) sum.committed_bytes += each->block.committed_bytes();
    return sum;
  }

 private:
  struct stack {
    explicit stack(std::size_t bytes)
        : block(bytes),
          // At the top, so that the header and the first frames share a page.
          on_it(::new (static_cast<void*>(block.top() - sizeof(Fiber))) Fiber()) {
      auto* const end = reinterpret_cast<std::byte*>(on_it);
      operating_system::make_context(
          on_it->state, end, static_cast<std::size_t>(end - block.bottom()), &Fiber::live, on_it);
    }
    stack(const stack&) = delete;
    stack& operator=(const stack&) = delete;
    ~stack() {
      operating_system::end_context(on_it->state);
      std::destroy_at(on_it);
    }

    memory block;
    Fiber* const on_it;
  };

  const std::size_t stack_bytes_;
  mutable typename machine::mutex mutex_;
  std::vector<std::unique_ptr<stack>> stacks_;              // Under mutex_.
  typename machine::template plain<Fiber*> free_{nullptr};  // Under mutex_, as each link from it.
};

/// Of one worker: what it has lately used, so that a spawn takes no lock.
template <class Fiber>
class stack_list {
 public:
  explicit stack_list(stack_pool<Fiber>& shared) : shared_(shared) {}

  /// Null if there is no memory for one more. The owner.
  [[nodiscard, gnu::always_inline]] Fiber* take() {
    if (free_ == nullptr) [[unlikely]]
      return refill();
    Fiber* const taken = free_;
    free_ = taken->next_free;
    --count_;
    return taken;
  }

  /// The stack is no longer in use. The owner.
  [[gnu::always_inline]] void give(Fiber& unused) {
    unused.next_free = free_;
    free_ = &unused;
    if (++count_ > most) [[unlikely]]
      give_half();
  }

 private:
  static constexpr std::size_t most = 32;

  [[gnu::noinline, gnu::cold]] Fiber* refill() noexcept {
    if (Fiber* const first = shared_.take(most / 2, count_)) {
      --count_;
      free_ = first->next_free;
      return first;
    }
    try {
      return shared_.make();
    } catch (const std::exception&) {
      return nullptr;
    }
  }

  [[gnu::noinline, gnu::cold]] void give_half() {
    Fiber* const first = free_;
    Fiber* last = first;
    for (std::size_t i = 1; i < most / 2; ++i) last = last->next_free;
    free_ = last->next_free;
    count_ -= most / 2;
    shared_.give(*first, *last);
  }

  stack_pool<Fiber>& shared_;
  Fiber* free_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace stealbench::fibers
