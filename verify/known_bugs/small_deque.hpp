// A Chase–Lev deque that is small enough to read in one sitting, with the mistakes that others have
// made in theirs as switches. Not for use: chase_lev_deque is. Without a defect it is sound.
//
// Every atomic operation is sequentially consistent, so that a bug that is found here is one of
// logic, which no ordering mends; bugs of ordering are mutants of the shipped deque.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "schedulers/work_stealing/protocols/deque.hpp"
#include "verify/explore.hpp"

#include "verify/relacy_machine.hpp"

namespace stealbench::verify {

struct deque_defects {
  bool unsigned_bottom = false;      ///< pop compares unsigned positions: -1 is above every top.
  bool unwrapped_index = false;      ///< A position is used as an index.
  bool frees_old_buffer = false;     ///< Growth frees the buffer that a thief may still read.
  bool last_without_cas = false;     ///< pop stores top instead of racing the thieves for it.
  bool bottom_left_lowered = false;  ///< pop does not raise bottom again when the deque is empty.
  bool slot_read_late = false;       ///< steal reads the slot when the owner may have reused it.
  bool spurious_loss_empty = false;  ///< steal says `empty` when its exchange fails.
};

template <class T, const deque_defects& Defects>
class small_deque {
 public:
  using value_type = T;
  using steal_result = work_stealing::stolen<T>;
  static constexpr bool grows = true;
  static constexpr bool has_private_jobs = false;

  small_deque(std::size_t initial_capacity, std::size_t max_capacity)
      : max_capacity_(max_capacity) {
    work_stealing::check_capacities(initial_capacity, max_capacity);
    adopt(std::make_unique<buffer>(initial_capacity));
  }

  [[nodiscard]] bool push(T job) {
    const std::int64_t bottom = bottom_.load(sc);
    const std::int64_t top = top_.load(sc);
    if (bottom - top == static_cast<std::int64_t>(capacity()) && !grow(top, bottom)) return false;
    buffers_.back()->at(bottom).store(job, sc);
    bottom_.store(bottom + 1, sc);
    return true;
  }

  [[nodiscard]] T pop() {
    const std::int64_t bottom = bottom_.load(sc) - 1;
    bottom_.store(bottom, sc);
    const std::int64_t top = top_.load(sc);
    if (is_below(top, bottom)) return buffers_.back()->at(bottom).load(sc);
    T job = nullptr;
    if (top == bottom && wins_last(top)) job = buffers_.back()->at(bottom).load(sc);
    bottom_.store(Defects.bottom_left_lowered ? bottom : bottom + 1, sc);
    return job;
  }

  [[nodiscard]] steal_result steal() {
    using work_stealing::steal_outcome;
    std::int64_t top = top_.load(sc);
    if (top >= bottom_.load(sc)) return {steal_outcome::empty, nullptr};
    slot& oldest = buffer_.load(sc)->at(top);
    T job = Defects.slot_read_late ? nullptr : oldest.load(sc);
    // Weak, as on a machine whose exchange is a pair of instructions: it may fail for no reason.
    if (!top_.compare_exchange_weak(top, top + 1, sc, sc)) {
      return {Defects.spurious_loss_empty ? steal_outcome::empty : steal_outcome::lost, nullptr};
    }
    if (Defects.slot_read_late) job = oldest.load(sc);
    return {steal_outcome::taken, job};
  }

  [[nodiscard]] std::size_t size_hint() const {
    const std::int64_t top = top_.load(sc);
    const std::int64_t bottom = bottom_.load(sc);
    return bottom > top ? static_cast<std::size_t>(bottom - top) : 0;
  }
  [[nodiscard]] bool looks_empty() const { return size_hint() == 0; }
  [[nodiscard]] std::size_t capacity() const { return buffers_.back()->slots.size(); }
  [[nodiscard]] std::size_t bytes() const {
    std::size_t slots = 0;
    for (const auto& each : buffers_) slots += each->slots.size();
    return slots * sizeof(slot);
  }

 private:
  static constexpr engine::order sc = engine::order::seq_cst;
  using slot = relacy_machine::atomic<T>;

  struct buffer {
    explicit buffer(std::size_t capacity) : slots(capacity) {}

    slot& at(std::int64_t position) {
      const auto unwrapped = static_cast<std::size_t>(position);
      const std::size_t index = Defects.unwrapped_index ? unwrapped : unwrapped % slots.size();
      expect(index < slots.size(), "an index is within the buffer");
      return slots[index];
    }

    std::vector<slot> slots;  // Published by adopt; never resized.
  };

  static bool is_below(std::int64_t top, std::int64_t bottom) {
    return Defects.unsigned_bottom
               ? static_cast<std::uint64_t>(top) < static_cast<std::uint64_t>(bottom)
               : top < bottom;
  }

  bool wins_last(std::int64_t top) {
    if (!Defects.last_without_cas) return top_.compare_exchange_strong(top, top + 1, sc, sc);
    top_.store(top + 1, sc);
    return true;
  }

  bool grow(std::int64_t top, std::int64_t bottom) {
    if (capacity() == max_capacity_) return false;
    auto bigger = std::make_unique<buffer>(2 * capacity());
    for (std::int64_t i = top; i < bottom; ++i) {
      bigger->at(i).store(buffers_.back()->at(i).load(sc), sc);
    }
    adopt(std::move(bigger));
    if (Defects.frees_old_buffer) buffers_.erase(buffers_.begin());
    return true;
  }

  void adopt(std::unique_ptr<buffer> newest) {
    buffers_.push_back(std::move(newest));
    buffer_.store(buffers_.back().get(), sc);
  }

  relacy_machine::atomic<std::int64_t> top_;      // Written by thieves, and by pop of the last job.
  relacy_machine::atomic<std::int64_t> bottom_;   // Written by the owner.
  relacy_machine::atomic<buffer*> buffer_;        // Written by the owner.
  std::vector<std::unique_ptr<buffer>> buffers_;  // The owner's: the one in use, and those before.
  const std::size_t max_capacity_;
};

}  // namespace stealbench::verify
