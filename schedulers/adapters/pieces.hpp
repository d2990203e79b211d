// A loop for a library whose own pieces may be shorter than was asked for, as the last one often
// is.
#pragma once

#include <algorithm>
#include <cstddef>

#include "schedulers/first_error.hpp"

namespace stealbench::schedulers {

/// [first, last) in as many pieces as hold `grain` indices each, or in one. Their lengths differ by
/// one at most. The library gets a loop over the pieces.
class pieces {
 public:
  pieces(std::size_t first, std::size_t last, std::size_t grain)
      : first_(first), length_(first < last ? last - first : 0) {
    count_ = length_ == 0 ? 0 : std::max<std::size_t>(length_ / std::max<std::size_t>(grain, 1), 1);
  }

  [[nodiscard]] std::size_t count() const { return count_; }

  /// Where piece `i` begins, and the one before it ends. Requires: i <= count(), count() > 0.
  [[nodiscard]] std::size_t begin(std::size_t i) const {
    return first_ + i * (length_ / count_) + (std::min)(i, length_ % count_);
  }

  /// Runs the pieces from `i` to before `end` as one, which ends at its first exception.
  template <class Worker, class Body>
  void run(std::size_t i, std::size_t end, Worker worker, const Body& body) noexcept {
    const auto run_indices = [&](Worker self) {
      for (std::size_t index = begin(i); index != begin(end); ++index)
        static_cast<void>(body(self, index));
    };
    error_.run(run_indices, worker, i);
  }

  /// For the loop, when all have run.
  void rethrow() { error_.rethrow(); }

 private:
  std::size_t first_;
  std::size_t length_;
  std::size_t count_;
  first_error error_;
};

}  // namespace stealbench::schedulers
