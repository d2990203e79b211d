// What stealbench-mpi offers on every pool: the workloads with a distributed form, as cells of rank
// 0 and as the parts of the others.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "bench/cluster/world.hpp"
#include "schedulers/cluster/rank.hpp"

namespace stealbench::cluster {

/// The ranks, of which this process is one; made when it is first asked for.
[[nodiscard]] world& the_world();

/// Of a rank other than 0: does what rank 0's cells say, until `dismiss` is called there.
void follow();
/// Of rank 0.
void dismiss();

struct search_record {
  std::vector<rank_counts> ranks = {};  ///< What each has done.
  std::chrono::nanoseconds took{};      ///< By the clock of MPI.
};
/// On rank 0, of the latest search.
[[nodiscard]] const search_record& latest_search();

}  // namespace stealbench::cluster
