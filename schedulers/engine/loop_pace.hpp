// How many pieces of a loop run between two looks for idle workers: one while pieces are long, and
// as many as take about a microsecond while they are short.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace stealbench::engine {

/// Of one loop that one worker runs. A look costs many times what a short piece does, and a clock
/// that says how long pieces take costs as much as ten looks. So the clock is read once in many
/// looks, and not at all for a loop of few pieces.
///
/// A loop may grow slow at any index: the rows of a power law, the inside of a fractal. It then
/// runs `most_pieces` without a look at worst, however long they take.
template <class M>
class loop_pace {
 public:
  static constexpr std::size_t most_pieces = 32;
  /// A loop of fewer pieces is not worth two readings of the clock.
  static constexpr std::size_t least_pieces = 4 * most_pieces;

  /// How many pieces to run before the next look.
  [[gnu::always_inline]] std::size_t next() {
    if (looks_ == 0) [[unlikely]]
      read_clock();
    --looks_;
    return pieces_;
  }

 private:
  static constexpr std::size_t first_looks = 4;
  static constexpr std::size_t looks_per_reading = 16;
  static constexpr std::int64_t goal_ns = 1000;

  [[gnu::noinline]] void read_clock() {
    const auto now = M::now();
    looks_ = first_looks;
    if (timed_ > 0) {
      const std::int64_t passed = std::chrono::nanoseconds(now - since_).count();
      const auto timed = static_cast<std::int64_t>(timed_);
      const auto most = static_cast<std::int64_t>(most_pieces);
      pieces_ = static_cast<std::size_t>(
          std::clamp<std::int64_t>(goal_ns * timed / std::max<std::int64_t>(passed, 1), 1, most));
      looks_ = looks_per_reading;
    }
    timed_ = looks_ * pieces_;
    since_ = now;
  }

  std::size_t pieces_ = 1;
  std::size_t looks_ = 0;  ///< Until the clock is read.
  std::size_t timed_ = 0;  ///< Pieces since it was read.
  std::chrono::steady_clock::time_point since_;
};

}  // namespace stealbench::engine
