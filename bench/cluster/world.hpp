// The ranks that mpirun has started, by MPI (Open MPI 4).
#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <mpi.h>

#include "schedulers/cluster/network.hpp"

namespace stealbench::cluster {

/// One for each process. A thread at a time calls it, any of the process's.
class world final : public network {
 public:
  /// Begins MPI. Throws std::runtime_error if it cannot be used by several threads in turn.
  world();
  /// Ends it. All ranks do so together.
  ~world() override;

  /// Name and version.
  [[nodiscard]] static std::string library();
  /// The name of the machine that this rank is on.
  [[nodiscard]] static std::string host();
  [[nodiscard]] unsigned rank() const override { return rank_; }
  [[nodiscard]] unsigned ranks() const override { return ranks_; }
  void send(unsigned to, std::vector<std::byte> bytes) override;
  [[nodiscard]] std::chrono::nanoseconds now() const override {
    return std::chrono::steady_clock::now().time_since_epoch();
  }
  [[nodiscard]] std::optional<std::pair<unsigned, std::vector<std::byte>>> receive() override;

  // These are called by all ranks.

  /// Rank 0's text, on each.
  [[nodiscard]] std::string broadcast(std::string text) const;
  /// On rank 0 the text of each rank, on the others nothing.
  [[nodiscard]] std::vector<std::string> gather(const std::string& text) const;
  /// Calls `meanwhile` until all ranks are here.
  template <class F>
  void await_all(F&& meanwhile) {
    MPI_Request all = MPI_REQUEST_NULL;
    MPI_Ibarrier(messages_, &all);
    for (int is_done = 0; is_done == 0;) {
      meanwhile();
      MPI_Test(&all, &is_done, MPI_STATUS_IGNORE);
    }
  }

  /// Says why, and ends all ranks with status 1.
  [[noreturn]] void give_up(const std::string& why) const;

 private:
  /// A message keeps its bytes until MPI has sent them.
  struct sending {
    std::vector<std::byte> bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  void forget_sent();

  MPI_Comm messages_ =
      MPI_COMM_NULL;  ///< Those of a search; collectives have a communicator of their own.
  unsigned rank_ = 0;
  unsigned ranks_ = 1;
  std::list<sending> sent_;
};

}  // namespace stealbench::cluster
