// One rank of a search: it expands its tasks, shares them with ranks that have none, and looks for
// tasks if it has none. The protocol and its argument are in README.md.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "schedulers/cluster/bag.hpp"
#include "schedulers/cluster/message.hpp"
#include "schedulers/cluster/network.hpp"
#include "schedulers/cluster/partners.hpp"
#include "schedulers/cluster/termination.hpp"
#include "schedulers/random.hpp"

namespace stealbench::cluster {

/// What a rank has done in one search. Times in nanoseconds.
struct rank_counts {
  std::uint64_t made = 0;      ///< Tasks: children of those expanded here, and the first ones.
  std::uint64_t expanded = 0;  ///< Tasks.
  std::uint64_t tasks_sent = 0;
  std::uint64_t tasks_received = 0;
  std::uint64_t requests = 0;   ///< Sent, to random ranks and by lifelines.
  std::uint64_t refusals = 0;   ///< Received.
  std::uint64_t steals = 0;     ///< Requests that were answered by tasks.
  std::uint64_t gifts = 0;      ///< Received.
  std::uint64_t reports = 0;    ///< Sent, of termination detection.
  std::uint64_t steal_ns = 0;   ///< From request to loot, all steals together.
  std::uint64_t split_ns = 0;   ///< To cut a bag and to send a part of it, all together.
  std::uint64_t merge_ns = 0;   ///< To add tasks that have come to the bag, all together.
  std::uint64_t ending_ns = 0;  ///< From the last task of this rank until it knew of the end.
};

/// What balancing has cost in one search.
struct balancing_costs {
  // On average, in nanoseconds; none if there was none.
  std::optional<double> steal_ns = {};
  std::optional<double> split_ns = {};
  std::optional<double> merge_ns = {};
  /// The shortest time from the last task of a rank until it knew of the end.
  double termination_ns = 0;
};
/// Of all ranks of a search; there is one at least.
[[nodiscard]] balancing_costs costs_of(std::span<const rank_counts> ranks);

/// Throws std::logic_error if tasks were lost or made out of nothing: on each rank, those that were
/// there or came have been expanded or sent.
void expect_conserved(const rank_counts& counted);

/// `Form` is the distributed form of a workload (form.hpp). One thread at a time.
template <class Form>
class rank {
 public:
  using task = typename Form::task;

  /// `known` outlives the rank. `stacks`, at least one, is the number of stacks of its bag. With
  /// one seed for all ranks each has random victims of its own.
  rank(network& net, balance how, typename Form::known& known, std::size_t stacks = 1,
       std::uint64_t seed = 1)
      : net_(net),
        how_(net.ranks() == 1 ? balance::random : how),
        known_(known),
        detector_(net.rank(), net.ranks()),
        random_(schedulers::mixed(seed + (net.rank() + 1) * schedulers::golden_gamma) | 1),
        lifelines_(lifelines_in(how_, net.rank(), net.ranks())),
        has_asked_(net.ranks()),
        waits_(net.ranks()),
        tasks_(stacks) {
    detector_.for_each_child([this](unsigned) { ++children_left_; });
  }

  /// Where the tasks that the search begins with are pushed, on one rank, before its first turn.
  [[nodiscard]] stack<task>& roots() { return tasks_.stacks().front(); }

  /// Takes what has come, and then calls `expand(tasks)`, which expands some and returns how many,
  /// or looks for work. False if the search has ended: then `winds_down` follows.
  template <class Expand>
  bool turn(Expand&& expand) {
    was_idle_ = true;
    answer();
    if (has_stopped_) return false;
    give_to_waiting();
    if (!tasks_.empty()) {
      has_tasks_ = true;
      if (expands()) {
        was_idle_ = false;
        counts_.expanded += expand(tasks_);
        give_to_waiting();
        if (how_ == balance::master && can_share()) send_tasks(0, message_kind::gift);
      }
    }
    if (tasks_.empty()) {
      if (std::exchange(has_tasks_, false)) idle_since_ = net_.now();
      look_for_work();
      detect_termination();
    }
    return !has_stopped_;
  }

  /// After the end: answers others. False once no rank awaits an answer, and nothing is on its way.
  bool winds_down() {
    answer();
    if (!awaits_answer_ && children_left_ == 0) {
      children_left_ = -1;  // Said once.
      if (net_.rank() == 0) {
        leave();
      } else {
        send(detector_.parent(), {.kind = message_kind::done});
      }
    }
    return !has_left_;
  }

  /// Takes what has come, up to some number of messages: requests that keep coming must not keep a
  /// rank from its tasks. Throws foreign_message for what is not of this search.
  void answer() {
    for (int i = 0; i < most_messages; ++i) {
      auto arrived = net_.receive();
      if (!arrived) return;
      try {
        take(arrived->first, decode(arrived->second, sizeof(task)));
      } catch (const foreign_message& error) {
        throw foreign_message("rank " + std::to_string(net_.rank()) + " received from rank " +
                              std::to_string(arrived->first) + ' ' + error.what());
      }
    }
  }

  /// In the latest turn no task has come, gone or been expanded.
  [[nodiscard]] bool was_idle() const { return was_idle_; }
  /// A request is under way: its answer will come, also after the end.
  [[nodiscard]] bool awaits_answer() const { return awaits_answer_; }
  /// After the end.
  [[nodiscard]] rank_counts counts() const {
    rank_counts all = counts_;
    all.made = tasks_.pushes();
    return all;
  }

 private:
  /// The master only hands out. Alone it works.
  [[nodiscard]] bool expands() const { return how_ != balance::master || net_.rank() != 0; }

  void take(unsigned from, const message& arrived) {
    known_.offer(arrived.known);
    switch (arrived.kind) {
      case message_kind::request:
      case message_kind::lifeline:
        if (can_share()) {
          send_tasks(from, message_kind::loot);
        } else {
          waits_[from] = waits_[from] || arrived.kind == message_kind::lifeline;
          send(from, {.kind = message_kind::refusal});
        }
        return;
      case message_kind::refusal:
        ++counts_.refusals;
        awaits_answer_ = false;
        return;
      case message_kind::loot:
        ++counts_.steals;
        counts_.steal_ns += since(asked_at_);
        awaits_answer_ = false;
        break;
      case message_kind::gift:
        ++counts_.gifts;
        break;
      case message_kind::report:
        detector_.takes(arrived.report);
        return;
      case message_kind::wave:
        detector_.begins_wave();
        tell_children(message_kind::wave);
        return;
      case message_kind::stop:
        stop();
        return;
      case message_kind::done:
        --children_left_;
        return;
      case message_kind::leave:
        leave();
        return;
    }
    const std::chrono::nanoseconds before = net_.now();
    was_idle_ = false;
    detector_.receives();
    has_asked_[from] = false;
    has_tried_ = false;
    received_.resize(arrived.tasks);
    std::memcpy(received_.data(), arrived.bytes.data(), arrived.bytes.size());
    tasks_.add(received_);
    counts_.tasks_received += arrived.tasks;
    counts_.merge_ns += since(before);
  }

  /// The master gives what it has; any other keeps a task for itself.
  [[nodiscard]] bool can_share() const { return tasks_.size() >= (expands() ? 2U : 1U); }

  void give_to_waiting() {
    for (unsigned other = 0; other < waits_.size() && can_share(); ++other) {
      if (!waits_[other]) continue;
      waits_[other] = false;
      send_tasks(other, message_kind::gift);
    }
  }

  void send_tasks(unsigned to, message_kind kind) {
    const std::chrono::nanoseconds before = net_.now();
    was_idle_ = false;
    const std::vector<task> older = tasks_.split();
    const std::span<const std::byte> bytes = std::as_bytes(std::span(older));
    detector_.sends();
    counts_.tasks_sent += older.size();
    send(to, {.kind = kind, .tasks = older.size(), .bytes = {bytes.begin(), bytes.end()}});
    counts_.split_ns += since(before);
  }

  void send(unsigned to, message sent) {
    sent.known = known_.value();
    net_.send(to, encode(sent, sizeof(task)));
  }

  void look_for_work() {
    if (awaits_answer_ || net_.ranks() == 1) return;
    if (how_ == balance::random || (how_ == balance::lifeline && !has_tried_)) {
      has_tried_ = true;
      const auto other =
          static_cast<unsigned>(schedulers::next_random(random_) % (net_.ranks() - 1));
      ask(other < net_.rank() ? other : other + 1, message_kind::request);
      return;
    }
    for (const unsigned other : lifelines_) {
      if (has_asked_[other]) continue;
      has_asked_[other] = true;
      ask(other, message_kind::lifeline);
      return;
    }
  }

  void ask(unsigned other, message_kind kind) {
    ++counts_.requests;
    awaits_answer_ = true;
    asked_at_ = net_.now();
    send(other, {.kind = kind});
  }

  void detect_termination() {
    using action = termination_detector::action;
    switch (detector_.acts()) {
      case action::none:
        return;
      case action::report:
        ++counts_.reports;
        send(detector_.parent(), {.kind = message_kind::report, .report = detector_.own_report()});
        return;
      case action::wave:
        tell_children(message_kind::wave);
        return;
      case action::end:
        stop();
        return;
    }
  }

  void tell_children(message_kind kind) {
    detector_.for_each_child([&](unsigned child) { send(child, {.kind = kind}); });
  }

  void stop() {
    tell_children(message_kind::stop);
    has_stopped_ = true;
    counts_.ending_ns = since(idle_since_);
  }

  void leave() {
    tell_children(message_kind::leave);
    has_left_ = true;
  }

  [[nodiscard]] std::uint64_t since(std::chrono::nanoseconds before) const {
    return static_cast<std::uint64_t>((net_.now() - before).count());
  }

  static constexpr int most_messages = 64;

  network& net_;
  balance how_;
  typename Form::known& known_;
  termination_detector detector_;
  std::uint64_t random_;
  std::vector<unsigned> lifelines_;
  std::vector<char> has_asked_;  ///< By rank: a lifeline to it is set, and nothing has come of it.
  std::vector<char> waits_;      ///< By rank: has asked by lifeline, and was refused.
  bag<task> tasks_;
  std::vector<task> received_;
  rank_counts counts_;
  bool has_tried_ = false;  ///< A random rank, since tasks came: w = 1 of the paper.
  bool awaits_answer_ = false;
  bool has_stopped_ = false;
  bool has_left_ = false;
  int children_left_ = 0;  ///< Which are not done.
  bool has_tasks_ = true;  ///< Or has just used them up.
  bool was_idle_ = false;
  std::chrono::nanoseconds asked_at_{};
  std::chrono::nanoseconds idle_since_{};
};

}  // namespace stealbench::cluster
