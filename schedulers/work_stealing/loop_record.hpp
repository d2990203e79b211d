// Which worker ran each part of a loop when it ran last: where the affinity of a part comes from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "schedulers/engine/memory_model.hpp"

namespace stealbench::work_stealing {

/// A table of hints, so all relaxed. Loops are told apart by their ranges: two loops over the same
/// indices mostly touch the same data. Parts of different loops may meet in one entry.
template <class M>
class loop_record {
 public:
  /// `capacity` is a power of two, or 0 for a record that is not used. Throws std::bad_alloc.
  explicit loop_record(std::size_t capacity) : entries_(capacity) {}

  /// What to add to the number of a part of the loop over [first, last).
  [[nodiscard]] static std::size_t key_of(std::size_t first, std::size_t last) {
    // Multiplicative hashing (Knuth, The Art of Computer Programming 3, 6.4).
    constexpr std::uint64_t golden = 0x9E3779B97F4A7C15;
    return static_cast<std::size_t>(((first * golden + last) * golden) >> 32U);
  }

  /// The worker that ran the part last, if it is known.
  [[nodiscard]] std::optional<unsigned> runner_of(std::size_t part) const {
    const unsigned runner = entry_of(*this, part).load(engine::order::relaxed);
    if (runner == 0) return std::nullopt;
    return runner - 1;
  }

  /// By the worker that runs the part. Writes nothing where nothing changes.
  void note(std::size_t part, unsigned worker) {
    auto& runner = entry_of(*this, part);
    const auto name = static_cast<std::uint16_t>(worker + 1);
    if (runner.load(engine::order::relaxed) != name) runner.store(name, engine::order::relaxed);
  }

 private:
  struct entry {
    typename M::template atomic<std::uint16_t> runner;  // And one; 0: not known.
  };
  template <class Self>
  static auto& entry_of(Self& self, std::size_t part) {
    return self.entries_[part & (self.entries_.size() - 1)].runner;
  }

  std::vector<entry> entries_;
};

}  // namespace stealbench::work_stealing
