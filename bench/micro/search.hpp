// A published tree, searched on any scheduler.
#pragma once

#include <cstdint>
#include <string_view>

#include "workloads/uts/known_trees.hpp"
#include "workloads/uts/uts.hpp"

namespace stealbench::costs::micro {

/// Throws std::out_of_range if there is no such tree.
[[nodiscard]] const uts::named_tree& published_tree(std::string_view name);

/// Whether the search finds what is published.
template <class Scheduler>
[[nodiscard]] bool search(Scheduler& pool, const uts::named_tree& known) {
  constexpr std::uint32_t granularity = 1;
  const uts::tree rule(known.parameters, granularity);
  return pool.run([&](auto worker) { return uts::search(worker, rule, rule.root()); }) ==
         known.found;
}

}  // namespace stealbench::costs::micro
