// What a rank needs of the network, so that tests can deliver messages in any order and no MPI is
// needed for them.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace stealbench::cluster {

/// Delivers every message once, those between two ranks perhaps in another order. One thread at a
/// time.
class network {
 public:
  network() = default;
  network(const network&) = delete;
  network& operator=(const network&) = delete;
  virtual ~network() = default;

  [[nodiscard]] virtual unsigned rank() const = 0;
  [[nodiscard]] virtual unsigned ranks() const = 0;
  /// Does not wait for the receiver.
  virtual void send(unsigned to, std::vector<std::byte> bytes) = 0;
  /// Of a clock of this rank's own, which never goes back.
  [[nodiscard]] virtual std::chrono::nanoseconds now() const = 0;
  /// A message and the rank that sent it; nothing if none has come.
  [[nodiscard]] virtual std::optional<std::pair<unsigned, std::vector<std::byte>>> receive() = 0;
};

}  // namespace stealbench::cluster
