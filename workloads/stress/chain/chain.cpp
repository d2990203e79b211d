#include "workloads/stress/chain/chain.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace stealbench::chain {

kit::description workload::describe() {
  // 2^34 links of 2^30 steps: their product is the period of the steps, which 64 bits just miss.
  return kit::described(R"(
chain: a chain of tasks: each is spawned and joined before the next
shape: a sequence of `task_group`s with one child each, or of `fork_join`s
tasks: links
work: Θ(links × work)
span: Θ(links × work): no parallelism
bound by: a spawn and its join; interference by thieves
answer: the state of a linear congruential generator after links × work steps; compared with the
    state computed by jumping ahead
source: the `no_comm` graph of Slaughter et al., SC 2020, one point wide
unit: dependent step
links=2^20 (1 to 17179869183): number of tasks, in digits or as 2^20
work=1 (1 to 2^30): work of a link [steps of about 1 ns]
form=group (group | fork): a link is a group of one child, or a fork with an empty branch
sizes: links=1000 work=5; links=1000 form=fork | links=2^15; links=2^15 form=fork |
    links=2^20; links=2^20 form=fork | links=2^26
)");
}

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
