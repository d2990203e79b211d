#include "verify/linearizability.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace stealbench::verify {
namespace {

// Allocates nothing, as a recording does, for it runs under Relacy.
class ordering_search {
 public:
  explicit ordering_search(std::span<const event> history) : history_(history) {}

  // Whether the events that are not in `done` can follow. What the deque holds follows from which
  // events are done, whatever their order, as the pushes have one: so a dead end is one for good.
  bool completes(std::uint64_t done) {
    if (done == all()) return true;
    std::uint64_t& dead_end = dead_ends_[done % dead_ends_.size()];
    if (dead_end == done && done != 0) return false;
    const std::uint64_t first_end = earliest_end(done);
    for (std::size_t i = 0; i < history_.size(); ++i) {
      if (is_in(done, i) || history_[i].begin > first_end) continue;
      if (answers(history_[i], done) && completes(done | bit(i))) return true;
    }
    dead_end = done;
    return false;
  }

 private:
  static std::uint64_t bit(std::size_t i) { return std::uint64_t{1} << i; }
  static bool is_in(std::uint64_t set, std::size_t i) { return (set & bit(i)) != 0; }

  [[nodiscard]] std::uint64_t all() const {
    return history_.size() == 64 ? ~std::uint64_t{0} : bit(history_.size()) - 1;
  }

  [[nodiscard]] std::uint64_t earliest_end(std::uint64_t done) const {
    std::uint64_t earliest = std::numeric_limits<std::uint64_t>::max();
    for (std::size_t i = 0; i < history_.size(); ++i) {
      if (!is_in(done, i)) earliest = std::min(earliest, history_[i].end);
    }
    return earliest;
  }

  // Whether a sequential deque answers `next` so after the events in `done`.
  [[nodiscard]] bool answers(const event& next, std::uint64_t done) const {
    if (next.what == event::kind::push) return true;
    if (next.what == event::kind::steal) return !next.job || end_of_deque(done, false) == next.job;
    return end_of_deque(done, true) == next.job;
  }

  // The youngest or the oldest job that is left after the events in `done`.
  [[nodiscard]] std::optional<std::size_t> end_of_deque(std::uint64_t done, bool youngest) const {
    const event* found = nullptr;
    for (std::size_t i = 0; i < history_.size(); ++i) {
      const event& pushed = history_[i];
      if (!is_in(done, i) || pushed.what != event::kind::push || is_gone(pushed, done)) continue;
      if (found == nullptr || (pushed.begin > found->begin) == youngest) found = &pushed;
    }
    return found == nullptr ? std::nullopt : found->job;
  }

  [[nodiscard]] bool is_gone(const event& pushed, std::uint64_t done) const {
    for (std::size_t i = 0; i < history_.size(); ++i) {
      const event& other = history_[i];
      if (is_in(done, i) && other.what != event::kind::push && other.job == pushed.job) return true;
    }
    return false;
  }

  std::span<const event> history_;
  std::array<std::uint64_t, 256> dead_ends_{};  // those found last, by a part of their bits
};

}  // namespace

bool linearizable(std::span<const event> history) { return ordering_search(history).completes(0); }

}  // namespace stealbench::verify
