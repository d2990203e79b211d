// A group of a library that runs a child from its spawn on: the laws around it.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "schedulers/first_error.hpp"

namespace stealbench::schedulers {

/// `Group::run(task)` takes a task over, which is called once, as a constant, and does not throw;
/// `Group::wait()` returns when all have ended, and is not called where there was none.
template <class Worker, class Group>
class spawning_group {
 public:
  /// Makes the library's group of `arguments`.
  template <class... Arguments>
  explicit spawning_group(Worker owner, Arguments&&... arguments)
      : owner_(owner), group_(std::forward<Arguments>(arguments)...) {}
  spawning_group(const spawning_group&) = delete;
  spawning_group& operator=(const spawning_group&) = delete;
  ~spawning_group() { wait(); }

  template <class F>
  void spawn(F&& f) {
    using closure = std::decay_t<F>;
    if constexpr (std::is_nothrow_move_constructible_v<closure>) {
      group_.run(child<closure>{std::forward<F>(f), this, spawned_});
      ++spawned_;
    } else {
      // oneTBB counts a task before it has moved it in, and would wait for one that threw then.
      spawn([own = std::make_unique<closure>(std::forward<F>(f))](Worker w) {
        static_cast<void>((*own)(w));
      });
    }
  }

  void sync() {
    wait();
    error_.rethrow();
  }

 private:
  template <class F>
  struct child {
    mutable F closure;
    spawning_group* parent;
    std::size_t rank;

    void operator()() const { parent->error_.run(closure, parent->owner_, rank); }
  };

  void wait() {
    if (std::exchange(spawned_, 0) > 0) group_.wait();
  }

  Worker owner_;
  Group group_;
  first_error error_;
  std::size_t spawned_ = 0;  // Since the last wait: a child's rank.
};

}  // namespace stealbench::schedulers
