#include "workloads/stress/chain/chain.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace stealbench::chain {

kit::description workload::describe() {
  using kit::integer_domain;
  // 2^34 links of 2^30 steps: their product is the period of the steps, which 64 bits just miss.
  constexpr std::uint64_t most_links = (std::uint64_t{1} << 34) - 1;
  constexpr std::uint64_t most_steps = std::uint64_t{1} << 30;
  return {.name = "chain",
          .summary = "a chain of tasks: each is spawned and joined before the next",
          .about = {.shape = "a sequence of `task_group`s with one child each, or of `fork_join`s",
                    .tasks = "links",
                    .work = "Θ(links × work)",
                    .span = "Θ(links × work): no parallelism",
                    .bound_by = "a spawn and its join; interference by thieves",
                    .answer = "the state of a linear congruential generator after links × work "
                              "steps; compared with the state computed by jumping ahead",
                    .source = "the `no_comm` graph of Slaughter et al., SC 2020, one point wide",
                    .unit = "dependent step"},
          .parameters = {{"links", "number of tasks, in digits or as 2^20",
                          integer_domain{.least = 1, .most = most_links, .standard = 1 << 20}},
                         {"work", "work of a link [steps of about 1 ns]",
                          integer_domain{.least = 1, .most = most_steps, .standard = 1}},
                         {"form", "a link is a group of one child, or a fork with an empty branch",
                          kit::choice_domain{.words = {"group", "fork"}, .standard = "group"}}},
          .sizes = {
              {"test", {{{"links", "1000"}, {"work", "5"}}, {{"links", "1000"}, {"form", "fork"}}}},
              {"small", {{{"links", "2^15"}}, {{"links", "2^15"}, {"form", "fork"}}}},
              {"standard", {{{"links", "2^20"}}, {{"links", "2^20"}, {"form", "fork"}}}},
              {"large", {{{"links", "2^26"}}}}}};
}

workload::input workload::prepare(const kit::parameters& chosen) {
  return {.links = chosen.integer("links"),
          .steps = chosen.integer("work"),
          .form = chosen.choice("form") == "fork" ? link_form::fork : link_form::group};
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
