// The tasks of a rank: a stack that can be cut. Splitting takes the oldest tasks, which in a
// depth-first search of a tree are those nearest its root and so stand for the most work.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace stealbench::cluster {

/// Not thread-safe. `Task` is sent as its bytes.
template <class Task>
class bag {
  static_assert(std::is_trivially_copyable_v<Task>, "tasks are sent as their bytes");

 public:
  [[nodiscard]] bool empty() const { return tasks_.empty(); }
  [[nodiscard]] std::size_t size() const { return tasks_.size(); }
  /// How often `push` was called on this bag and on those that were put below it.
  [[nodiscard]] std::uint64_t pushes() const { return pushes_; }
  [[nodiscard]] std::span<const Task> tasks() const { return tasks_; }

  void push(const Task& task) {
    tasks_.push_back(task);
    ++pushes_;
  }

  /// The youngest. Requires: not empty.
  [[nodiscard]] Task pop() {
    assert(!empty());
    const Task youngest = tasks_.back();
    tasks_.pop_back();
    return youngest;
  }

  /// The older half, rounded up, as a bag of its own. O(size).
  [[nodiscard]] bag split() {
    const auto middle = tasks_.begin() + static_cast<std::ptrdiff_t>((size() + 1) / 2);
    bag older;
    older.tasks_.assign(tasks_.begin(), middle);
    tasks_.erase(tasks_.begin(), middle);
    return older;
  }

  /// Puts the tasks of another bag below those of this one, as older ones. O(size).
  void put_below(bag older) {
    older.tasks_.insert(older.tasks_.end(), tasks_.begin(), tasks_.end());
    tasks_ = std::move(older.tasks_);
    pushes_ += older.pushes_;
  }

  /// Adds tasks that were pushed into another rank's bag: not counted as pushes.
  void receive(std::span<const Task> tasks) {
    tasks_.insert(tasks_.end(), tasks.begin(), tasks.end());
  }

 private:
  std::vector<Task> tasks_;
  std::uint64_t pushes_ = 0;
};

}  // namespace stealbench::cluster
