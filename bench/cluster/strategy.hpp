// What stealbench-mpi offers on every pool: the workloads with a distributed form, as cells of rank
// 0 and as the parts of the others.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/cluster/world.hpp"

namespace stealbench::cluster {

/// `1 rank`, `2 ranks`.
[[nodiscard]] inline std::string counted(std::size_t number, std::string_view noun) {
  return std::to_string(number) + " " + std::string(noun) + (number == 1 ? "" : "s");
}

/// The ranks, of which this process is one; made when it is first asked for.
[[nodiscard]] world& the_world();

/// Of a rank other than 0: does what rank 0's cells say, until `dismiss` is called there.
void follow();
/// Of rank 0.
void dismiss();

/// On rank 0: the host, the processor and the commit of each rank.
[[nodiscard]] std::vector<nlohmann::ordered_json>& places();

}  // namespace stealbench::cluster
