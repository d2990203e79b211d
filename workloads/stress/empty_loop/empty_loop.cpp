#include "workloads/stress/empty_loop/empty_loop.hpp"

#include <nlohmann/json.hpp>

#include "workloads/kit/memory.hpp"

namespace stealbench::empty_loop {
namespace {

// See add_one.
[[gnu::noinline]] void add_one_serially(std::span<slot> slots) {
  for (slot& each : slots) ++each;
}

}  // namespace

kit::description workload::describe() {
  return kit::described(
      R"(
empty_loop: an empty parallel loop, repeated
shape: a sequence of `parallel_for`s; regular
tasks: at most loops × indices ⁄ grain
work: Θ(loops × indices)
span: Θ(loops × (log indices + grain))
bound by: starting, splitting and joining a loop
answer: whether every index ran once in each loop
source: Bull, EWOMP 1999 (the EPCC micro-benchmarks)
unit: index
indices=2^10 (1 to 2^32): indices per loop, in digits or as 2^10; 4 bytes of memory for each
grain=1 (1 to 2^32): least number of indices in a piece of a loop
loops=2^12 (1 to 4294967295): number of loops, one after the other
sizes: indices=50 loops=20; indices=333 loops=30 grain=10 | loops=2^8; loops=2^12 grain=64 |
    loops=2^12; loops=2^16 grain=64 | loops=2^18; loops=2^22 grain=64
)",
      kit::granularity{.parameter = "grain", .least = 1, .bounded_by = "indices"});
}

workload::input workload::prepare(const kit::parameters& chosen) {
  const std::uint64_t indices = chosen.integer("indices");
  kit::require_memory("indices", indices, [](std::uint64_t n) { return n * sizeof(slot); });
  return {.slots = std::vector<slot>(indices),
          .grain = chosen.integer("grain"),
          .loops = static_cast<slot>(chosen.integer("loops"))};
}

workload::output workload::sequential(input& in) {
  for (slot loop = 0; loop < in.loops; ++loop) add_one_serially(in.slots);
  return {};
}

std::optional<bool> workload::verify(const input& in, const output& /*unused*/) {
  return std::all_of(in.slots.begin(), in.slots.end(), [&](slot n) { return n == in.loops; });
}

nlohmann::ordered_json workload::answer(const input& in, const output& /*unused*/) {
  const auto [least, most] = std::minmax_element(in.slots.begin(), in.slots.end());
  return {{"fewest_visits", *least}, {"most_visits", *most}};
}

}  // namespace stealbench::empty_loop
