#include "workloads/empty_tree/empty_tree.hpp"

namespace stealbench::empty_tree {

// NOLINTNEXTLINE(misc-no-recursion): the definition
std::uint64_t plain_sum_of_leaves(unsigned levels, std::uint64_t number) {
  if (levels == 0) return number;
  return plain_sum_of_leaves(levels - 1, 2 * number) +
         plain_sum_of_leaves(levels - 1, 2 * number + 1);
}

workloads::description workload::describe() {
  constexpr workloads::integer_domain depth{.least = 0, .most = 31, .standard = 24};
  return {.name = "empty_tree",
          .summary = "a balanced binary tree of empty tasks",
          .about = {.family = "stress",
                    .shape = "`fork_join` at every inner node: a balanced binary tree",
                    .tasks = "2^depth − 1",
                    .work = "Θ(2^depth)",
                    .span = "Θ(depth)",
                    .bound_by = "forks",
                    .answer = "the sum of the leaves' numbers, in closed form",
                    .source = "`stress` of Wool (Faxén, ICPP 2010), with empty leaves"},
          .parameters = {{"depth", "levels of forks; 2^depth leaves", depth}},
          .sizes = {{"test", {{{"depth", "10"}}}},
                    {"small", {{{"depth", "18"}}}},
                    {"standard", {{{"depth", "24"}}}},
                    {"large", {{{"depth", "30"}}}}}};
}

workload::input workload::prepare(const workloads::parameters& chosen) {
  return {.depth = static_cast<unsigned>(chosen.integer("depth"))};
}

}  // namespace stealbench::empty_tree
