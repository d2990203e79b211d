// What stealbench-mpi offers on every pool: the workloads with a distributed form, as cells of rank
// 0 and as the parts of the others.
#pragma once

#include <string>
#include <vector>

#include "bench/cluster/world.hpp"
#include "schedulers/cluster/rank.hpp"

namespace stealbench::cluster {

/// The ranks of this process, which main has made.
[[nodiscard]] world& the_world();

/// Of a rank other than 0: does what rank 0's cells say, until `dismiss` is called there.
void follow();
/// Of rank 0.
void dismiss();

/// On rank 0: what each rank has done in the latest search.
[[nodiscard]] const std::vector<rank_counts>& latest_counts();

}  // namespace stealbench::cluster
