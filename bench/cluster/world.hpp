// The ranks that mpirun has started, by MPI: Open MPI 4, or SMPI of SimGrid, which simulates them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <mpi.h>

#include "schedulers/cluster/network.hpp"

namespace stealbench::cluster {

/// One for each process. A thread at a time calls it, any of the process's.
class world final : public network {
 public:
  /// Begins MPI.
  world();
  /// Ends it. All ranks do so together.
  ~world() override;

  /// Name and version.
  [[nodiscard]] static std::string library();
  /// Whether a launcher of MPI has started this process.
  [[nodiscard]] static bool was_started();
  /// The name of the machine that this rank is on.
  [[nodiscard]] static std::string host();
  [[nodiscard]] unsigned rank() const override { return rank_; }
  [[nodiscard]] unsigned ranks() const override { return ranks_; }
  void send(unsigned to, std::vector<std::byte> bytes) override;
  [[nodiscard]] std::chrono::nanoseconds now() const override {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::duration<double>(MPI_Wtime()));
  }
  [[nodiscard]] std::optional<std::pair<unsigned, std::vector<std::byte>>> receive() override;

  /// Whether one thread may call MPI after another.
  [[nodiscard]] bool takes_threads() const { return takes_threads_; }
  /// After each turn of a rank. One that has had no tasks for a millisecond looks 20,000 times a
  /// second from then on, so that others may have its processor.
  void has_turned(bool is_idle);

  /// Called after a rank has expanded tasks. In a simulation each takes STEALBENCH_TASK_NS
  /// nanoseconds of the node.
  static void has_expanded(std::uint64_t tasks);

  // These are called by all ranks.

  /// Rank 0's text, on each.
  [[nodiscard]] std::string broadcast(std::string text) const;
  /// On rank 0 the text of each rank, on the others nothing.
  [[nodiscard]] std::vector<std::string> gather(const std::string& text) const;
  /// Says why, and ends all ranks with status 1.
  [[noreturn]] void give_up(const std::string& why) const;

 private:
  /// A message keeps its bytes until MPI has sent them.
  struct sending {
    std::vector<std::byte> bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  void forget_sent();
  /// Lets others run until it is time to look again. A rank that is idle has `waited` so long since
  /// its latest message, or since it had tasks.
  static void look_later(std::chrono::nanoseconds waited);
  static void sleep();

  static constexpr unsigned microseconds_asleep = 50;

  MPI_Comm messages_ =
      MPI_COMM_NULL;  ///< Those of a search; collectives have a communicator of their own.
  unsigned rank_ = 0;
  unsigned ranks_ = 1;
  bool takes_threads_ = false;
  std::optional<std::chrono::nanoseconds> idle_since_;  // None while it has tasks.
  std::chrono::nanoseconds heard_at_{};                 // The later of that and its latest message.
  std::list<sending> sent_;
};

}  // namespace stealbench::cluster
