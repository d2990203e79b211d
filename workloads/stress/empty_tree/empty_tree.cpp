#include "workloads/stress/empty_tree/empty_tree.hpp"

#include <nlohmann/json.hpp>

namespace stealbench::empty_tree {

kit::description workload::describe() {
  return kit::described(R"(
empty_tree: a balanced binary tree of tasks, empty or with some work at the leaves
shape: `fork_join` at every inner node: a balanced binary tree
tasks: 2^depth − 1
work: Θ(2^depth × (1 + work))
span: Θ(depth + work)
bound by: forks
answer: the sum of the leaves' numbers; compared with the closed form
source: `stress` of Wool (Faxén, ICPP 2010), with empty leaves
unit: call, or dependent step of a leaf
depth=24 (0 to 31): levels of forks; 2^depth leaves
work=0 (0 to 1000000000): work of a leaf [steps of about 1 ns]
sizes: depth=10; depth=7 work=20 | depth=18 | depth=24 | depth=30
)");
}

workload::input workload::prepare(const kit::parameters& chosen) {
  return {.depth = static_cast<unsigned>(chosen.integer("depth")), .work = chosen.integer("work")};
}

nlohmann::ordered_json workload::answer(const input& in, const output& out) {
  return {{"leaves", std::uint64_t{1} << in.depth}, {"sum", out}};
}

}  // namespace stealbench::empty_tree
