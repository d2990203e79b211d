// A queue of jobs under a lock, from which a job can also be taken out of the middle.
#pragma once

#include <cstdint>

#include "schedulers/engine/memory_model.hpp"

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
  job_list() { M::name(mutex_, "job lists: mutex and ends"); }

  void push(Job& job) {
    const locked hold{mutex_};
    links* const before = newest_.read();
    job.previous.write(before);
    job.next.write(nullptr);
    job.listed.write(true);
    (before != nullptr ? before->next : oldest_).write(&job);
    newest_.write(&job);
    count(+1);
  }

  /// The oldest job, or null.
  Job* take() {
    if (looks_empty()) return nullptr;  // Those who search must not slow down those who push.
    const locked hold{mutex_};
    links* const oldest = oldest_.read();
    if (oldest == nullptr) return nullptr;
    Job& taken = static_cast<Job&>(*oldest);
    unlink(taken);
    return &taken;
  }

  /// Takes this job out; false if someone has taken it before.
  bool take_out(Job& job) {
    const locked hold{mutex_};
    if (!job.listed.read()) return false;
    unlink(job);
    return true;
  }

  /// Exact for jobs whose push happens before, or is ordered before by fences (parking_lot.hpp,
  /// K1).
  [[nodiscard]] bool looks_empty() const { return size_.load(order::relaxed) == 0; }

 private:
  using links = job_list_links<M>;

  struct locked {
    typename M::mutex& mutex;
    explicit locked(typename M::mutex& m) : mutex(m) { mutex.lock(); }
    locked(const locked&) = delete;
    locked& operator=(const locked&) = delete;
    ~locked() { mutex.unlock(); }
  };

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
  typename M::template zeroed_plain<links*> oldest_{};
  typename M::template zeroed_plain<links*> newest_{};
  typename M::template atomic<std::int32_t> size_{0};
};

}  // namespace stealbench::engine
