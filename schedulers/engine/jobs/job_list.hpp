// A queue of jobs under a lock, from which a job can also be taken out of the middle.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>

#include "schedulers/engine/memory_model.hpp"
#include "schedulers/engine/queue_policy.hpp"

namespace stealbench::engine {

/// The links of a job while it is in a job_list; all under that list's lock. All zero bits: in
/// none, so they need no constructor in the memory of a job stack; elsewhere they must be
/// value-initialised.
template <class M>
struct job_list_links {
  typename M::template zeroed_plain<job_list_links*> previous;
  typename M::template zeroed_plain<job_list_links*> next;
  typename M::template zeroed_plain<bool> listed;
};

/// First in, first out, intrusive, never full. `Job` derives from job_list_links<M>. Any thread;
/// each operation takes constant time under one lock.
template <class Job, class M>
class job_list {
 public:
  explicit job_list(const char* name = "job lists: mutex and ends") { M::name(mutex_, name); }

  void push(Job& job) {
    const std::lock_guard hold(mutex_);
    append(job);
  }

  /// The oldest job, or null.
  Job* take() { return take_at(oldest_); }

  /// The newest job, or null.
  Job* take_newest() { return take_at(newest_); }

  /// Takes this job out; false if another worker has taken it before, or it is in the list and
  /// `is_it()` denies under the lock that it is the one that is meant.
  template <class IsIt>
  bool take_out(Job& job, const IsIt& is_it) {
    const std::lock_guard hold(mutex_);
    if (!job.listed.read() || !is_it()) return false;
    unlink(job);
    return true;
  }
  bool take_out(Job& job) {
    return take_out(job, [] { return true; });
  }

  /// The same where jobs move from one list to another: nothing, if `is_here()` says under this
  /// list's lock that the job is in another one by now.
  template <class IsHere>
  std::optional<bool> take_out_if(Job& job, const IsHere& is_here) {
    const std::lock_guard hold(mutex_);
    if (!is_here()) return std::nullopt;
    if (!job.listed.read()) return false;
    unlink(job);
    return true;
  }

  /// Moves the oldest jobs of one list to the end of another: as many as `how_many(jobs of the one,
  /// jobs of the other)` says, at most all, and calls `moved` with each. Under both locks, so that
  /// a job is always in one of the lists. Returns how many.
  template <class HowMany, class Moved>
  static std::int32_t move_oldest(job_list& source, job_list& target, const HowMany& how_many,
                                  const Moved& moved) {
    // By address, lest two that move in opposite directions wait for each other.
    const bool source_first = std::less<job_list*>{}(&source, &target);
    const std::lock_guard hold_one((source_first ? source : target).mutex_);
    const std::lock_guard hold_other((source_first ? target : source).mutex_);
    const std::int32_t count = how_many(source.size(), target.size());
    for (std::int32_t i = 0; i < count; ++i) {
      Job& job = static_cast<Job&>(*source.oldest_.read());
      source.unlink(job);
      moved(job);
      target.append(job);
    }
    return count;
  }

  /// Exact for jobs whose push happens before, or is ordered before by fences (parking_lot.hpp,
  /// K1), and under the lock.
  [[nodiscard]] std::int32_t size() const { return size_.load(order::relaxed); }
  [[nodiscard]] bool looks_empty() const { return size() == 0; }

 private:
  using links = job_list_links<M>;

  using end = typename M::template zeroed_plain<links*>;

  // The job at one end, or null.
  Job* take_at(const end& taken_from) {
    if (looks_empty()) return nullptr;  // Those who search must not slow down those who push.
    const std::lock_guard hold(mutex_);
    links* const found = taken_from.read();
    if (found == nullptr) return nullptr;
    Job& taken = static_cast<Job&>(*found);
    unlink(taken);
    return &taken;
  }

  void append(links& job) {
    links* const before = newest_.read();
    job.previous.write(before);
    job.next.write(nullptr);
    job.listed.write(true);
    (before != nullptr ? before->next : oldest_).write(&job);
    newest_.write(&job);
    count(+1);
  }

  void unlink(links& job) {
    links* const before = job.previous.read();
    links* const after = job.next.read();
    (before != nullptr ? before->next : oldest_).write(after);
    (after != nullptr ? after->previous : newest_).write(before);
    job.listed.write(false);
    count(-1);
  }

  // Changed under the lock alone, so a load and a store make the step; read without it as a hint.
  void count(std::int32_t by) { size_.store(size_.load(order::relaxed) + by, order::relaxed); }

  alignas(64) typename M::mutex mutex_;
  end oldest_{};
  end newest_{};
  typename M::template atomic<std::int32_t> size_{0};
};

/// The base of a worker's queue that keeps jobs in job_lists.
template <class Slot>
class listed_queue {
 public:
  static constexpr capabilities can{};

  void retire(Slot& job) {
    job.entry.close(order::relaxed);  // says to its owner alone that the slot is free
  }

 protected:
  using list = job_list<Slot, typename Slot::machine>;

  static void push_onto(list& to, Slot& job, const typename Slot::kind_type& kind) {
    job.entry.open(kind, order::relaxed);  // published by the list's lock
    to.push(job);
  }
  bool take_back_from(list& at, Slot& job) {
    if (!at.take_out(job)) return false;
    retire(job);
    return true;
  }
};

}  // namespace stealbench::engine
