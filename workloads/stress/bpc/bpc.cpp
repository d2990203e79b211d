#include "workloads/stress/bpc/bpc.hpp"

#include "workloads/kit/memory.hpp"

namespace stealbench::bpc {

kit::description workload::describe() {
  return kit::described(R"(
bpc: bouncing producer-consumer: each producer spawns consumers and the next one
shape: `task_group`: a chain of producers, each with its consumers
tasks: depth × (consumers + 1) − 1
work: Θ(depth × consumers × work)
span: Θ(depth + consumers + work); Θ(depth × consumers + work) with next=last
bound by: finding the worker that has work
answer: whether every consumer ran once
source: Dinan et al., SC 2009; Prell, doctoral thesis, Bayreuth 2016
unit: dependent step
depth=5000 (1 to 100000): number of producers; each takes 100 (serial) to 800 bytes (openmp) of a
    worker's stack
consumers=9 (1 to 2^20): consumers per producer; 8 bytes of memory for each
work=10000 (0 to 2^30): work of a consumer [steps of about 1 ns]
next=first (first | last): whether the next producer is spawned before the consumers or after them
sizes: depth=100 work=200; depth=50 consumers=19 work=20 next=last | depth=200 |
    depth=5000; depth=5000 next=last | depth=10000 consumers=99
)");
}

workload::input workload::prepare(const kit::parameters& chosen) {
  const production how{.depth = chosen.integer("depth"),
                       .consumers = chosen.integer("consumers"),
                       .next = chosen.choice_as<next_producer>("next")};
  kit::require_memory("consumers", how.consumers, [&](std::uint64_t consumers) {
    return kit::receipts::bytes_for(how.depth * consumers);
  });
  return {.done = kit::receipts(how.depth * how.consumers, chosen.integer("work")), .how = how};
}

}  // namespace stealbench::bpc
