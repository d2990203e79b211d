// A loop over nothing, again and again: one addition for each index, so the time is what it costs
// to begin, to cut and to join a loop.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "workloads/workload.hpp"

namespace stealbench::empty_loop {

using slot = std::uint32_t;

/// Adds one to every slot. Work O(slots); span O(log slots) and the grain. Not inline, lest a
/// compiler that sees all loops at once made one of them.
template <class Worker>
[[gnu::noinline]] void add_one(Worker worker, std::span<slot> slots, std::size_t grain) {
  worker->parallel_for(std::size_t{0}, slots.size(), grain, [slots](Worker w, std::size_t index) {
    ++slots[index];
    kit::charge(w, 1);
  });
}

struct workload {
  struct input {
    std::vector<slot> slots;  ///< One for each index: the loops that have visited it.
    std::size_t grain;
    slot loops;
  };
  struct output {};  ///< What is to be seen is in the input.

  static kit::description describe() { return kit::description_of("empty_loop"); }
  static input prepare(const kit::parameters& chosen);
  static void reset(input& in) { std::fill(in.slots.begin(), in.slots.end(), 0); }

  template <class Worker>
  static output run(Worker worker, input& in) {
    for (slot loop = 0; loop < in.loops; ++loop) add_one(worker, std::span(in.slots), in.grain);
    return {};
  }

  static output sequential(input& in);
  static void corrupt(input& in, output& /*unused*/) { --in.slots.back(); }
  static std::optional<bool> verify(const input& in, const output& out);
  static nlohmann::ordered_json answer(const input& in, const output& out);

  static std::uint64_t fork_count(const input& in, const output& /*unused*/) {
    return in.loops * kit::pieces_of_loop(in.slots.size(), in.grain);
  }
};

}  // namespace stealbench::empty_loop
