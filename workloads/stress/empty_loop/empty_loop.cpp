#include "workloads/stress/empty_loop/empty_loop.hpp"

namespace stealbench::empty_loop {
namespace {

// See add_one.
[[gnu::noinline]] void add_one_serially(std::span<slot> slots) {
  for (slot& each : slots) ++each;
}

}  // namespace

workload::input workload::prepare(const kit::parameters& chosen) {
  const std::uint64_t indices = chosen.integer("indices");
  kit::require_memory("indices", indices, [](std::uint64_t n) { return n * sizeof(slot); });
  return {.slots = std::vector<slot>(indices),
          .grain = chosen.integer("grain"),
          .loops = chosen.integer<slot>("loops")};
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
