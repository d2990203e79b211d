// The tasks of a rank: stacks, of which each may be worked on by a branch of its own. Splitting
// takes the oldest tasks, which in a depth-first search of a tree are those nearest its root and so
// stand for the most work.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace stealbench::cluster {

/// Not thread-safe. `Task` is sent as its bytes.
template <class Task>
class stack {
  static_assert(std::is_trivially_copyable_v<Task>, "tasks are sent as their bytes");

 public:
  [[nodiscard]] bool empty() const { return tasks_.empty(); }
  [[nodiscard]] std::size_t size() const { return tasks_.size(); }
  /// How often `push` was called.
  [[nodiscard]] std::uint64_t pushes() const { return pushes_; }

  void push(const Task& task) {
    tasks_.push_back(task);
    ++pushes_;
  }

  /// The youngest. Requires: not empty.
  [[nodiscard]] Task pop() {
    const Task youngest = tasks_.back();
    tasks_.pop_back();
    return youngest;
  }

  /// Moves its `count` oldest tasks to the end of `taken`. O(size).
  void take_oldest(std::size_t count, std::vector<Task>& taken) {
    const auto end = tasks_.begin() + static_cast<std::ptrdiff_t>(count);
    taken.insert(taken.end(), tasks_.begin(), end);
    tasks_.erase(tasks_.begin(), end);
  }

  /// Adds tasks that were pushed elsewhere, as the youngest.
  void add(std::span<const Task> tasks) { tasks_.insert(tasks_.end(), tasks.begin(), tasks.end()); }

 private:
  std::vector<Task> tasks_;
  std::uint64_t pushes_ = 0;
};

/// Several stacks. Each is searched depth-first, so that they stay short: one bag that is cut anew
/// for each step would grow as wide as the tree. Different threads may use different stacks at a
/// time.
template <class Task>
class bag {
 public:
  /// Requires: stacks >= 1.
  explicit bag(std::size_t stacks = 1) : stacks_(stacks) {}

  [[nodiscard]] std::span<stack<Task>> stacks() { return stacks_; }
  [[nodiscard]] std::size_t size() const {
    std::size_t sum = 0;
    for (const stack<Task>& each : stacks_) sum += each.size();
    return sum;
  }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] std::uint64_t pushes() const {
    std::uint64_t sum = 0;
    for (const stack<Task>& each : stacks_) sum += each.pushes();
    return sum;
  }

  /// Takes the older half of each stack. Of two odd ones one half is rounded up and the other one
  /// down, the first up: so of two tasks or more it leaves at least one. O(size).
  [[nodiscard]] std::vector<Task> split() {
    std::vector<Task> older;
    std::size_t more = 1;
    for (stack<Task>& each : stacks_) {
      const std::size_t odd = each.size() % 2;
      each.take_oldest(each.size() / 2 + odd * more, older);
      if (odd == 1) more = 1 - more;
    }
    return older;
  }

  /// Adds tasks that were pushed into another rank's bag.
  void add(std::span<const Task> tasks) { shortest().add(tasks); }

  /// Gives each empty stack half of the longest one, as far as there are tasks. O(stacks^2 + size).
  void spread() {
    for (stack<Task>& each : stacks_) {
      if (!each.empty()) continue;
      stack<Task>& longest = *std::ranges::max_element(stacks_, {}, &stack<Task>::size);
      if (longest.size() < 2) return;
      std::vector<Task> older;
      longest.take_oldest(longest.size() / 2, older);
      each.add(older);
    }
  }

 private:
  [[nodiscard]] stack<Task>& shortest() {
    return *std::ranges::min_element(stacks_, {}, &stack<Task>::size);
  }

  std::vector<stack<Task>> stacks_;
};

}  // namespace stealbench::cluster
