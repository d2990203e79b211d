// What a branch of a search has to beat: branch and bound, with or without luck.
#pragma once

#include <atomic>
#include <cstdint>

namespace stealbench::kit {

enum class pruning : std::uint8_t {
  fixed,   ///< Against a solution found beforehand: the same tree in any order.
  shared,  ///< Against the best found so far by anyone: a tree that the schedule decides.
};

/// The value of the best solution known; `Better` says which of two values that is: std::greater<>
/// or std::less<>.
template <class Better>
class incumbent {
 public:
  incumbent(std::uint64_t first, pruning how) : value_(first), how_(how) {}

  /// Relaxed, as is the other access: the number is all that is shared, no memory is published with
  /// it, and who reads an old one only searches more than necessary.
  [[nodiscard]] std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

  /// Takes the value of a complete solution if it is better and the incumbent is shared.
  void offer(std::uint64_t found) {
    if (how_ == pruning::fixed) return;
    std::uint64_t known = value();
    while (Better()(found, known) &&
           !value_.compare_exchange_weak(known, found, std::memory_order_relaxed)) {
    }
  }

 private:
  std::atomic<std::uint64_t> value_;
  pruning how_;
};

}  // namespace stealbench::kit
