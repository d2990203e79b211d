// n-ary spawns: a list of children that are joined together.
#pragma once

#include <exception>
#include <memory>
#include <type_traits>
#include <utility>

#include "schedulers/engine/job.hpp"
#include "schedulers/engine/worker_state.hpp"
#include "schedulers/outcome.hpp"

namespace stealbench::engine {

/// See schedulers::task_group. A spawn takes a block of the worker's own memory and no lock; memory
/// grows with the children that are not yet joined. Children that nobody has begun at the sync are
/// run by the owner, youngest first.
template <class Policy, bool Counting>
class task_group {
 public:
  using state = worker_state<Policy, Counting>;
  using share_type = typename Policy::share;

  task_group(state& owner, share_type share) noexcept : state_(&owner), share_(share) {}
  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;
  ~task_group() { join_all(); }

  /// Throws what copying the closure throws, and std::bad_alloc; the group then lacks that child.
  template <class F>
  void spawn(F&& f) {
    if (share_.alone()) {
      run_now(f);
      return;
    }
    child& added = make_child(std::forward<F>(f));
    added.elder = youngest_;
    youngest_ = &added;
    ++size_;
    if constexpr (!share_type::is_fixed) {
      if (!state_->spawn(added)) [[unlikely]]
        run_and_finish(added);
    }
  }

  void sync() {
    if (std::exception_ptr error = join_all()) std::rethrow_exception(std::move(error));
  }

 private:
  using child = spawned_job<Policy, Counting>;

  template <class F>
  child& make_child(F&& f) {
    using closure = spawned_closure<Policy, Counting, std::decay_t<F>>;
    void* const memory = state_->blocks.allocate(sizeof(closure), alignof(closure));
    try {
      return *::new (memory) closure(std::forward<F>(f), share_);
    } catch (...) {
      state_->blocks.deallocate(memory, sizeof(closure), alignof(closure));
      throw;
    }
  }

  template <class F>
  void run_now(F& f) {
    schedulers::outcome<std::monostate> ended;
    ended.capture([&f](auto w) { static_cast<void>(f(w)); },
                  worker<Policy, Counting>(*state_, share_));
    if (!first_error_) first_error_ = ended.error();
  }

  void run_and_finish(child& own) {
    own.execute(own, *state_);
    static_cast<void>(own.finished.set());  // Nobody waits but this worker, which is awake.
  }

  // A fixed share is divided once the number of children is known: each to its part of the workers,
  // or several to a worker. The caller's own children run here, while the others are under way.
  void assign_children() {
    std::size_t rank = size_;
    for (child* each = youngest_; each != nullptr; each = each->elder) {
      each->share = share_.part(--rank, size_);
      if (each->share.leader() != state_->index) state_->spawn(*each);
    }
    for (child* each = youngest_; each != nullptr; each = each->elder) {
      if (each->share.leader() == state_->index) run_and_finish(*each);
    }
  }

  // Returns the error of the eldest child that failed. Children are joined youngest first, as their
  // owner's queue has them, so a later error replaces an earlier one.
  std::exception_ptr join_all() noexcept {
    if constexpr (share_type::is_fixed) assign_children();
    std::exception_ptr error = std::exchange(first_error_, nullptr);
    while (youngest_ != nullptr) {
      child& next = *youngest_;
      if (!next.finished.done()) state_->join(next);
      if (next.outcome.failed()) [[unlikely]]
        error = next.outcome.error();
      youngest_ = next.elder;
      next.destroy(next, *state_);
    }
    size_ = 0;
    return error;
  }

  state* state_;
  [[no_unique_address]] share_type share_;
  child* youngest_ = nullptr;
  std::size_t size_ = 0;
  std::exception_ptr first_error_;  // Of the children that ran at their spawn.
};

}  // namespace stealbench::engine
