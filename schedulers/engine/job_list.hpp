// A queue of jobs under a lock, from which a job can also be taken out of the middle.
#pragma once

#include <cstdint>

#include "schedulers/engine/std_model.hpp"

namespace stealbench::engine {

/// The links of a job while it is in a job_list; all under that list's lock.
struct job_list_links {
  job_list_links* previous = nullptr;
  job_list_links* next = nullptr;
  bool listed = false;
};

/// First in, first out, intrusive, never full. `Job` derives from job_list_links. Any thread; each
/// operation takes constant time under one lock.
template <class Job>
class job_list {
 public:
  void push(Job& job) {
    const locked hold{mutex_};
    job.previous = newest_;
    job.next = nullptr;
    job.listed = true;
    (newest_ != nullptr ? newest_->next : oldest_) = &job;
    newest_ = &job;
    count(+1);
  }

  /// The oldest job, or null.
  Job* take() {
    if (looks_empty()) return nullptr;  // Those who search must not slow down those who push.
    const locked hold{mutex_};
    if (oldest_ == nullptr) return nullptr;
    Job& taken = static_cast<Job&>(*oldest_);
    unlink(taken);
    return &taken;
  }

  /// Takes this job out; false if someone has taken it before.
  bool take_out(Job& job) {
    const locked hold{mutex_};
    if (!job.listed) return false;
    unlink(job);
    return true;
  }

  /// Exact for jobs whose push happens before, or is ordered before by fences (parking_lot.hpp,
  /// K1).
  [[nodiscard]] bool looks_empty() const { return size_.load(order::relaxed) == 0; }

 private:
  struct locked {
    std_model::mutex& mutex;
    explicit locked(std_model::mutex& m) : mutex(m) { mutex.lock(); }
    locked(const locked&) = delete;
    locked& operator=(const locked&) = delete;
    ~locked() { mutex.unlock(); }
  };

  void unlink(job_list_links& job) {
    (job.previous != nullptr ? job.previous->next : oldest_) = job.next;
    (job.next != nullptr ? job.next->previous : newest_) = job.previous;
    job.listed = false;
    count(-1);
  }

  // Changed under the lock alone, so a load and a store make the step; read without it as a hint.
  void count(std::int32_t by) { size_.store(size_.load(order::relaxed) + by, order::relaxed); }

  alignas(64) std_model::mutex mutex_;
  job_list_links* oldest_ = nullptr;
  job_list_links* newest_ = nullptr;
  std_model::atomic<std::int32_t> size_{0};
};

}  // namespace stealbench::engine
