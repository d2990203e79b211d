#include "workloads/stress/bpc/bpc.hpp"

#include <nlohmann/json.hpp>

#include "workloads/kit/memory.hpp"

namespace stealbench::bpc {

kit::description workload::describe() {
  using kit::integer_domain;
  return {
      .name = "bpc",
      .summary = "bouncing producer-consumer: each producer spawns consumers and the next one",
      .about = {.shape = "`task_group`: a chain of producers, each with its consumers",
                .tasks = "depth × (consumers + 1) − 1",
                .work = "Θ(depth × consumers × work)",
                .span = "Θ(depth + consumers + work); Θ(depth × consumers + work) with next=last",
                .bound_by = "finding the worker that has work",
                .answer = "whether every consumer ran once",
                .source = "Dinan et al., SC 2009; Prell, doctoral thesis, Bayreuth 2016",
                .unit = "dependent step"},
      .parameters = {{"depth",
                      "number of producers; each takes 100 (serial) to 800 bytes (openmp) of a "
                      "worker's stack",
                      integer_domain{.least = 1, .most = 100'000, .standard = 5000}},
                     {"consumers", "consumers per producer; 8 bytes of memory for each",
                      integer_domain{.least = 1, .most = 1 << 20, .standard = 9}},
                     {"work", "work of a consumer [steps of about 1 ns]",
                      integer_domain{
                          .least = 0, .most = std::uint64_t{1} << 30, .standard = 10'000}},
                     {"next",
                      "whether the next producer is spawned before the consumers or after them",
                      kit::choice_domain{.words = {"first", "last"}, .standard = "first"}}},
      .sizes = {{"test",
                 {{{"depth", "100"}, {"work", "200"}},
                  {{"depth", "50"}, {"consumers", "19"}, {"work", "20"}, {"next", "last"}}}},
                {"small", {{{"depth", "200"}}}},
                {"standard", {{{"depth", "5000"}}, {{"depth", "5000"}, {"next", "last"}}}},
                {"large", {{{"depth", "10000"}, {"consumers", "99"}}}}}};
}

workload::input workload::prepare(const kit::parameters& chosen) {
  const production how{
      .depth = chosen.integer("depth"),
      .consumers = chosen.integer("consumers"),
      .next = chosen.choice("next") == "last" ? next_producer::last : next_producer::first};
  kit::require_memory("consumers", how.consumers, [&](std::uint64_t consumers) {
    return kit::receipts::bytes_for(how.depth * consumers);
  });
  return {.done = kit::receipts(how.depth * how.consumers, chosen.integer("work")), .how = how};
}

workload::output workload::sequential(input& in) {
  for (std::uint64_t task = 0; task < in.done.tasks(); ++task) in.done.perform(task);
  return {};
}

nlohmann::ordered_json workload::answer(const input& in, const output& /*unused*/) {
  return {{"ran_once", in.done.ran_once()}};
}

}  // namespace stealbench::bpc
