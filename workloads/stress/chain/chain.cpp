#include "workloads/stress/chain/chain.hpp"

#include <fmt/format.h>

namespace stealbench::chain {

workload::input workload::prepare(const kit::parameters& chosen) {
  return {.links = chosen.integer("links"),
          .steps = chosen.integer("work"),
          .form = chosen.choice_as<link_form>("form")};
}

workload::output workload::sequential(const input& in) {
  std::uint64_t value = 0;
  for (std::uint64_t link = 0; link < in.links; ++link) value = kit::stepped(value, in.steps);
  return value;
}

nlohmann::ordered_json workload::answer(const input& /*unused*/, const output& out) {
  return fmt::format("{:016x}", out);
}

}  // namespace stealbench::chain
