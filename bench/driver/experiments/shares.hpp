// A sweep that processes share: mpirun or srun starts them side by side, and each takes its part.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "results/dataset/measurements.hpp"

namespace stealbench::experiments {

/// A process among those that were started together.
struct member {
  unsigned rank = 0;
  unsigned ranks = 1;  ///< At least 1: a process that was started alone.
  unsigned local = 0;  ///< How many of them are on its host; 0: unknown.

  [[nodiscard]] bool is_alone() const { return ranks == 1; }
};

/// This process, by what Open MPI, MPICH or Slurm has set in its environment. Throws kit::bad_input
/// if that is no rank.
[[nodiscard]] member this_member();

/// Where a member writes: in a folder of its own.
[[nodiscard]] std::filesystem::path folder_of(const member& self,
                                              const std::filesystem::path& output);

/// Its cells of a sweep: of `ranks` cells in a row one.
[[nodiscard]] std::vector<dataset::cell> share_of(const member& self,
                                                  std::span<const dataset::cell> cells);

/// The member `share` of the first line of a raw file. `benchmarks`: of all ranks.
[[nodiscard]] dataset::json json_of(const member& self, std::size_t benchmarks);

[[nodiscard]] bool is_share(const dataset::measurements& data);

/// Writes to the folder the raw file that one process with one job would have written. `shares` are
/// raw files or folders, in any order. Throws kit::bad_input unless they are all the shares of one
/// sweep, each finished, and std::system_error if the file cannot be written.
void join_shares(std::span<const std::filesystem::path> shares,
                 const std::filesystem::path& output);

}  // namespace stealbench::experiments
