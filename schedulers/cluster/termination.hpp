// When have all ranks run out of tasks? Waves of reports up a tree of the ranks find out, by the
// rules of E. W. Dijkstra, "Shmuel Safra's version of termination detection", EWD 998, 1987. The
// argument is in README.md; termination_test.cpp searches every order of events of small clusters.
#pragma once

#include <compare>
#include <cstdint>

namespace stealbench::cluster {

/// What a rank says in a wave of itself and all ranks below it: messages with tasks that they have
/// sent, less those received; black if one of them received tasks since it reported the last time.
struct wave_report {
  std::int64_t in_flight = 0;
  bool is_black = false;

  // NOLINTNEXTLINE(modernize-use-nullptr): what the compiler writes for <=> has a 0.
  friend auto operator<=>(const wave_report&, const wave_report&) = default;
};

/// What makes the detector right. The test leaves each out, and finds a search that is ended too
/// early.
struct termination_rules {
  bool blackens_receivers = true;  ///< Who receives tasks is black until it has reported.
  bool blackens_reports = true;    ///< And then the report is black.
  bool counts = true;              ///< There is no end while a message is on its way.
  bool awaits_children = true;     ///< A rank reports after all ranks below it.
};

/// One rank's part. The owner says which messages with tasks it sends and receives; requests and
/// refusals are none, for they give no rank a task. Not thread-safe.
template <termination_rules Rules = termination_rules()>
class basic_termination_detector {
 public:
  enum class action : std::uint8_t {
    none,
    report,  ///< Send `own_report()` to the parent.
    wave,    ///< On rank 0: tell the children that a new wave begins.
    end,     ///< On rank 0: no rank has a task, and none is on its way.
  };

  /// The first wave has begun. Requires: rank < ranks.
  basic_termination_detector(unsigned rank, unsigned ranks) : rank_(rank), ranks_(ranks) {
    begins_wave();
  }

  [[nodiscard]] unsigned parent() const { return (rank_ - 1) / 2; }
  /// Calls `f` with each rank right below this one.
  template <class F>
  void for_each_child(F&& f) const {
    for (unsigned child = 2 * rank_ + 1; child <= 2 * rank_ + 2 && child < ranks_; ++child) {
      f(child);
    }
  }

  /// Before a message with tasks leaves this rank.
  void sends() { ++balance_; }
  /// When one has come. The rank has perhaps reported, and now has tasks again: hence black.
  void receives() {
    --balance_;
    is_black_ = Rules.blackens_receivers;
  }
  /// The parent says that a new wave begins. The owner tells the children.
  void begins_wave() {
    own_ = {};
    children_left_ = 0;
    for_each_child([this](unsigned) { ++children_left_; });
    has_reported_ = false;
  }
  /// A child's report has come.
  void takes(const wave_report& of_child) {
    own_.in_flight += of_child.in_flight;
    own_.is_black = own_.is_black || of_child.is_black;
    --children_left_;
  }

  /// For a rank that has no tasks.
  [[nodiscard]] action acts() {
    const bool waits = Rules.awaits_children && children_left_ > 0;
    if (has_reported_ || waits || has_ended_) return action::none;
    own_.in_flight += balance_;
    own_.is_black = own_.is_black || (is_black_ && Rules.blackens_reports);
    is_black_ = false;
    has_reported_ = true;
    if (rank_ != 0) return action::report;
    has_ended_ = !own_.is_black && (own_.in_flight == 0 || !Rules.counts);
    if (has_ended_) return action::end;
    begins_wave();
    return action::wave;
  }
  [[nodiscard]] const wave_report& own_report() const { return own_; }
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
  wave_report own_;        ///< In this wave, with those of the children so far.
  int children_left_ = 0;  ///< Whose reports have not come in this wave.
  bool has_reported_ = false;
  bool has_ended_ = false;
};

using termination_detector = basic_termination_detector<>;

}  // namespace stealbench::cluster
