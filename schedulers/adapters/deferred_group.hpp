// A group for libraries that take all tasks together: what its children wait in.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <memory_resource>
#include <type_traits>
#include <utility>
#include <vector>

#include "schedulers/first_error.hpp"

namespace stealbench::schedulers {

/// Children begin at `sync`, all together: `owner.run_all(count, child)` calls `child(worker, i)`
/// once for each i below `count`, which is at least 1. `child` does not throw.
template <class Worker>
class deferred_group {
 public:
  explicit deferred_group(Worker owner) : owner_(owner) {}
  deferred_group(const deferred_group&) = delete;
  deferred_group& operator=(const deferred_group&) = delete;
  ~deferred_group() { wait(); }

  template <class F>
  void spawn(F&& f) {
    // Grown first: a child that is made and finds no room would never be destroyed.
    if (children_.size() == children_.capacity()) children_.reserve(2 * children_.size() + 1);
    std::pmr::polymorphic_allocator<> memory(&memory_);
    children_.push_back(memory.new_object<child_of<std::decay_t<F>>>(std::forward<F>(f)));
  }

  void sync() {
    wait();
    error_.rethrow();
  }

 private:
  struct child {
    child() = default;
    child(const child&) = delete;
    child& operator=(const child&) = delete;
    virtual ~child() = default;
    virtual void run(first_error& error, Worker worker, std::size_t rank) noexcept = 0;
  };

  template <class F>
  struct child_of final : child {
    explicit child_of(F f) : closure(std::move(f)) {}
    void run(first_error& error, Worker worker, std::size_t rank) noexcept override {
      error.run(closure, worker, rank);
    }

    F closure;
  };

  void wait() {
    if (children_.empty()) return;
    // Out of the group, whose destructor would run them again if the library throws.
    const std::pmr::vector<child*> children = std::move(children_);
    owner_.run_all(children.size(), [&](Worker worker, std::size_t index) noexcept {
      children[index]->run(error_, worker, index);
      // What it holds is destroyed where it ran, before the group goes on.
      std::destroy_at(children[index]);
    });
    memory_.release();
  }

  [[no_unique_address]] Worker owner_;
  std::array<std::byte, 512> room_;  // For a few children: a heap would cost more than they do.
  std::pmr::monotonic_buffer_resource memory_{room_.data(), room_.size()};
  std::pmr::vector<child*> children_{&memory_};
  first_error error_;
};

}  // namespace stealbench::schedulers
