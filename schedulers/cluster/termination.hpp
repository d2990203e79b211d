// When have all ranks run out of tasks? A token that travels around the ring of ranks finds out: E.
// W. Dijkstra, "Shmuel Safra's version of termination detection", EWD 998, 1987. The argument is in
// README.md; verify/cluster searches every order of events of small clusters.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>

namespace stealbench::cluster {

/// What travels: messages with tasks that were sent, less those received, by the ranks that it has
/// visited; black if one of these received tasks after the token was there the last time.
struct token {
  std::int64_t in_flight = 0;
  bool is_black = false;

  // NOLINTNEXTLINE(modernize-use-nullptr): what the compiler writes for <=> has a 0.
  friend auto operator<=>(const token&, const token&) = default;
};

/// What makes the detector right. verify/cluster leaves each out, and finds a search that is ended
/// too early.
struct termination_rules {
  bool blackens_receivers = true;  ///< Who receives tasks is black until the token comes.
  bool blackens_token = true;      ///< And then the token is black.
  bool counts = true;              ///< There is no end while a message is on its way.
  bool probes_first = true;        ///< There is no end before the token went round.
};

/// One rank's part. The owner says which messages with tasks it sends and receives; requests and
/// refusals are none, for they give no rank a task. Not thread-safe.
template <termination_rules Rules = termination_rules()>
class basic_termination_detector {
 public:
  /// Rank 0 has the token at first. Requires: rank < ranks.
  basic_termination_detector(unsigned rank, unsigned ranks)
      : rank_(rank), ranks_(ranks), has_token_(rank == 0) {}

  /// Before a message with tasks leaves this rank.
  void sends() { ++balance_; }
  /// When one has come. The rank was perhaps visited, and now has tasks again: hence black.
  void receives() {
    --balance_;
    is_black_ = Rules.blackens_receivers;
  }
  /// The token has come.
  void takes(const token& arrived) {
    token_ = arrived;
    has_token_ = true;
  }

  /// For a rank that has no tasks: the token, if it is here and must go on to `next()`. On rank 0
  /// the end of a round decides, and without a decision a new one begins.
  [[nodiscard]] std::optional<token> passes() {
    if (!has_token_ || has_ended_) return std::nullopt;
    if (rank_ == 0) {
      const bool is_white = !token_.is_black && !is_black_;
      const bool has_arrived = !Rules.counts || token_.in_flight + balance_ == 0;
      has_ended_ = is_white && has_arrived && (has_probed_ || ranks_ == 1);
      if (has_ended_ || ranks_ == 1) return std::nullopt;
      has_probed_ = true;
      token_ = {};
    } else {
      token_.in_flight += balance_;
      token_.is_black = token_.is_black || (is_black_ && Rules.blackens_token);
    }
    is_black_ = false;
    has_token_ = false;
    return token_;
  }

  [[nodiscard]] unsigned next() const { return (rank_ + 1) % ranks_; }
  /// On rank 0: no rank has a task, and none is on its way.
  [[nodiscard]] bool has_ended() const { return has_ended_; }

  // NOLINTBEGIN(modernize-use-nullptr): as above
  friend auto operator<=>(const basic_termination_detector&,
                          const basic_termination_detector&) = default;
  // NOLINTEND(modernize-use-nullptr)

 private:
  unsigned rank_;
  unsigned ranks_;
  std::int64_t balance_ = 0;  ///< Messages with tasks: sent less received.
  bool is_black_ = false;
  bool has_token_;
  bool has_probed_ = !Rules.probes_first;  ///< On rank 0: the token has left it once.
  bool has_ended_ = false;
  token token_;
};

using termination_detector = basic_termination_detector<>;

}  // namespace stealbench::cluster
