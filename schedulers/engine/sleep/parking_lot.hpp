// Where idle workers sleep, and how a new job wakes one. The protocol, its edges K1 and K2, and the
// argument that no wake-up is lost are in parking_lot.md;
// verify/engine/parking_lot_relacy.cpp checks this very file.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

#include "schedulers/engine/machine.hpp"
#include "schedulers/engine/memory_model.hpp"
#include "schedulers/engine/sleep/parker.hpp"

namespace stealbench::engine {

/// One ordering per atomic operation, so that verify/ can weaken one at a time.
///   K1  a worker that publishes a job, and one that leaves no searcher behind as it falls asleep:
///       one of them sees the other;
///   K2  a worker that answers a request sees why it was made.
struct parking_lot_orderings {
  // is_requested, answer, wake_any: by a worker with jobs.
  order look_at_request = order::relaxed;  // K1: ordered by the compiler fence before it
  order answer = order::acquire;           // K2: pairs with request_all
  order look_at_counts = order::relaxed;   // K1: by the light fence before it; K2: by answer

  // request: by a worker that has found nothing at another one, or that asks itself.
  order look_before_request =
      order::relaxed;                    // saves the change of a line that would change nothing
  order request = order::relaxed;        // a hint: no sleep relies on it. Keeps K2, see request_all
  order request_taken = order::relaxed;  // the flag was set before: nothing to add

  // beat: by the thread that beats, where workers make jobs public at beats.
  order look_before_beat = order::relaxed;  // as look_before_request
  order beat = order::relaxed;              // says that time has passed: publishes nothing

  // start_searching, stop_searching, park, wake: the counts of sleepers and searchers.
  order look_for_room = order::relaxed;   // a stale count searches, or sleeps, once too often
  order count_searcher = order::relaxed;  // says nothing about jobs; a stale count wakes too many
  order leave_search = order::relaxed;    // who was last wakes another worker, which K1 concerns
  order fall_asleep = order::relaxed;     // K1: ordered by the heavy fence; K2: by request_all
  order wake_up = order::relaxed;         // under the mutex

  // park, by a worker that leaves no searcher behind. A read-modify-write, as is `request`, so that
  // of several who set one flag the answer acquires from each.
  order request_all = order::release;  // K2: pairs with answer

  bool light = true;        // K1: the fence of who publishes. False only in a mutant.
  bool heavy = true;        // K1: the sleeper's fence. Likewise.
  bool always_look = true;  // K1: sends is_requested() on to a fence, where it needs one. Likewise.
  bool ask_all = true;      // K1: a sleeper that leaves no searcher behind asks all. Likewise.
  bool hand_over = true;    // the last searcher that leaves wakes the next. Likewise.
  bool wait_for_lock = true;    // K1: a push that sees no searcher waits for the lock. Likewise.
  bool hand_over_waits = true;  // the last searcher that leaves waits for it. Likewise.
};
inline constexpr parking_lot_orderings parking_lot_shipped{};
/// What a lot on `M` takes: the above, but for a mutant of verify/.
template <class M>
inline constexpr const parking_lot_orderings& parking_lot_orderings_on = parking_lot_shipped;

/// What makes a worker answer, that is, make private jobs public.
enum class answers : std::uint8_t {
  requests,  ///< Another worker asks it for work.
  pushes,    ///< Each job that it publishes.
  beats,     ///< The clock: beat().
};

/// What a search ends with.
enum class search_end : std::uint8_t {
  nothing,    ///< What else the worker waits for has come, or nothing has.
  job,        ///< A job, and no other was seen.
  more_jobs,  ///< A job, and there are more where it was.
};

/// For jobs that any worker may take.
template <class M, const parking_lot_orderings& Orderings = parking_lot_orderings_on<M>>
class parking_lot {
  static constexpr std::uint32_t no_worker = (std::numeric_limits<std::uint32_t>::max)();
  static constexpr std::uint32_t listed = no_worker - 1;

 public:
  /// Of one worker: whether another one asks it for work. Read by its owner at every push, so on a
  /// line that others write only to ask, or to take its jobs.
  class request_flag {
    friend parking_lot;
    // Set by idle workers, by the thread that beats, and by its owner, which then answers at its
    // next push too; cleared by its owner.
    typename M::template atomic<std::uint32_t> word_;
  };

  /// The sleep state of one worker. Made before, and outlives, every call that names it.
  class alignas(64) sleeper {
   public:
    /// For its worker, after park(): who has woken it, or no worker. A hint.
    [[nodiscard]] unsigned woken_by() const { return woken_by_.read(); }

    engine::parker<M> parker;

   private:
    friend parking_lot;
    // `listed` while it is in sleepers_; else the worker that has woken it, or no_worker. Written
    // under mutex_. Its worker may read it without, since others write it only while it is listed.
    typename M::template plain<std::uint32_t> woken_by_{no_worker};
  };

  /// At most `most_searchers` workers search at a time, but for those that find work as
  /// they fall asleep or after a nap.
  parking_lot(unsigned workers, unsigned most_searchers, answers answered = answers::requests)
      : most_searchers_(most_searchers),
        answered_(answered),
        unanswered_(word_without_request(answered)),
        requests_(workers, nullptr) {
    sleepers_.reserve(workers);
    M::name(counts_, "parking lot: counts of idle workers");
    M::name(mutex_, "parking lot: mutex of the sleepers");
  }

  /// Before any thread but the caller's uses the lot. The flag outlives every other call.
  void enlist(unsigned worker, request_flag& flag) {
    flag.word_.store(unanswered_, order::relaxed);  // before any other thread
    requests_[worker] = &flag;
  }

  // For a worker with jobs.

  /// After publishing a job: whether to call answer(). The owner of the flag. One relaxed load, and
  /// never a fence.
  [[nodiscard, gnu::always_inline]] static bool is_requested(const request_flag& own) {
    M::compiler_fence();
    return own.word_.load(Orderings.look_at_request) != 0;
  }

  /// Takes back the request; the caller then makes jobs public. Returns whether it must then call
  /// wake_any(): not where no worker has asked and the push itself is why it answers. The owner of
  /// the flag. Wait-free.
  [[nodiscard]] bool answer(request_flag& own) {
    const std::uint32_t seen = own.word_.load(Orderings.look_at_request);
    if (seen == unanswered_) return seen == always_look;
    own.word_.exchange(unanswered_, Orderings.answer);
    return true;
  }

  /// After publishing a job, by the worker `waker`. Returns how many were woken, 0 or 1: none, if
  /// none sleeps, or if enough search.
  unsigned wake_any(unsigned waker) {
    if (Orderings.light) M::light_fence();
    const std::uint64_t counts = counts_.load(Orderings.look_at_counts);
    if (sleeping(counts) == 0 || !has_room(counts, search_end::job)) [[likely]]
      return 0;
    return wake_sleepers(waker, search_end::job, Orderings.wait_for_lock && searching(counts) == 0);
  }

  /// Whether a worker makes jobs public on request alone.
  [[nodiscard]] bool answers_requests() const { return answered_ == answers::requests; }

  // For the thread that beats.

  /// Whether there must be one.
  [[nodiscard]] bool is_beaten() const { return answered_ == answers::beats; }

  /// Where workers answer beats: each answers once, at its next look. Any thread.
  void beat() {
    for (request_flag* each : requests_) {
      if (each->word_.load(Orderings.look_before_beat) == 0) {
        each->word_.store(requested, Orderings.beat);
      }
    }
  }

  // For an idle worker.

  /// Asks a worker for work, at which there was none; or itself, so that it answers at its next
  /// push. A hint.
  void request(unsigned worker) {
    if (!can_be_asked()) return;
    auto& word = requests_[worker]->word_;
    std::uint32_t seen = word.load(Orderings.look_before_request);
    if (seen == unanswered_) {
      word.compare_exchange_strong(seen, unanswered_ | requested, Orderings.request,
                                   Orderings.request_taken);
    }
  }

  /// The caller has found nothing for a while. False if enough others search: it had better sleep.
  /// True: it counts as a searcher, until stop_searching() or park().
  [[nodiscard]] bool start_searching() {
    if (searching(counts_.load(Orderings.look_for_room)) >= most_searchers_) return false;
    counts_.fetch_add(one_searcher, Orderings.count_searcher);
    return true;
  }

  /// The searcher `waker` stops; `end` tells with what, and is asked only if a worker sleeps. While
  /// few enough search, wakes one for a job, and two for more. If it found nothing and was the
  /// last, wakes one to look in its stead. Returns how many. A mutant of the caller wakes none.
  template <class End>
  unsigned stop_searching(unsigned waker, const End& end, bool hands_over = true) {
    const std::uint64_t counts =
        counts_.fetch_sub(one_searcher, Orderings.leave_search) - one_searcher;
    if (sleeping(counts) == 0 || !Orderings.hand_over || !hands_over) return 0;
    const search_end found = end();
    if (!has_room(counts, found)) return 0;
    return wake_sleepers(waker, found, Orderings.hand_over_waits && searching(counts) == 0);
  }

  /// Sleeps until it is woken, unless `no_wake`, which tells whether what the caller waits for
  /// could come without waking it. A worker that leaves no searcher behind asks all workers and
  /// then looks once more: `has_work` tells whether any has a job. So does each sleeper after each
  /// nap. `searches` is whether the caller counts as a searcher. Returns whether it does
  /// afterwards. May return for no reason.
  template <class NoWake, class HasWork>
  [[nodiscard]] bool park(sleeper& self, bool searches, const NoWake& no_wake,
                          const HasWork& has_work, naps look_every = {}) {
    const std::uint64_t counts = fall_asleep(self, searches);
    const bool is_last = searching(counts) == 0;
    if (no_wake()) return rise(self, searches && is_last);
    if (is_last) {
      ask_all();
      if (Orderings.heavy) M::heavy_fence();
      if (has_work()) {
        M::spin();  // That work may be another thread's by now: let that one go on.
        return rise(self, true);
      }
    }
    // So that of many sleepers no more look than of a few, the later ones look less often.
    std::chrono::nanoseconds nap = look_every.first * sleeping(counts);
    while (!self.parker.park(nap)) {
      if (no_wake()) break;
      if (has_work()) return rise(self, true);
      nap = (std::min)(2 * nap, look_every.longest * sleeping(counts));
    }
    return rise(self, false);
  }

 private:
  static constexpr std::uint32_t requested = 1;
  // Instead of both: where a compiler fence orders nothing, is_requested() always sends its caller
  // on to wake_any(), which has a fence.
  static constexpr std::uint32_t always_look = 2;
  // With or without `requested`: is_requested() always sends its caller on to answer().
  static constexpr std::uint32_t always_answer = 4;

  static std::uint32_t word_without_request(answers answered) {
    if (answered == answers::beats) return 0;
    if (Orderings.always_look && !M::asymmetric()) return always_look;
    return answered == answers::pushes ? always_answer : 0;
  }

  // Not where a beat alone is answered, nor where all flags are set for ever.
  [[nodiscard]] bool can_be_asked() const {
    return answered_ != answers::beats && unanswered_ != always_look;
  }

  // Of 16 bits each. Who has been woken and does not look yet is `on_its_way`.
  static constexpr std::uint64_t one_sleeper = 1;
  static constexpr std::uint64_t one_searcher = 1U << 16;
  static constexpr std::uint64_t one_on_its_way = std::uint64_t{1} << 32;
  static constexpr unsigned sleeping(std::uint64_t counts) { return counts % one_searcher; }
  static constexpr unsigned on_its_way(std::uint64_t counts) {
    return static_cast<unsigned>(counts / one_on_its_way);
  }
  static constexpr unsigned looking(std::uint64_t counts) {
    return counts % one_on_its_way / one_searcher;
  }
  static constexpr unsigned searching(std::uint64_t counts) {
    return looking(counts) + on_its_way(counts);
  }

  // Whether one more may be woken. One searcher is enough for the jobs of a few workers, but many
  // make jobs public at once, and waking one after the other would take longer than the jobs.
  // Workers on their way do not look yet, so others can be woken during the time that it takes.
  [[nodiscard]] bool has_room(std::uint64_t counts, search_end found) const {
    if (found == search_end::nothing) return searching(counts) == 0;
    if (searching(counts) >= most_searchers_) return false;
    const auto workers = static_cast<unsigned>(requests_.size());
    return found == search_end::more_jobs || looking(counts) <= (workers - sleeping(counts)) / 4;
  }

  // Returns the counts with the caller among the sleepers.
  std::uint64_t fall_asleep(sleeper& self, bool searches) {
    const std::uint64_t change = searches ? one_sleeper - one_searcher : one_sleeper;
    mutex_.lock();
    self.woken_by_.write(listed);
    sleepers_.push_back(&self);
    const std::uint64_t before = counts_.fetch_add(change, Orderings.fall_asleep);
    mutex_.unlock();
    return before + change;
  }

  // K1: from here on every push of every worker sees that there is a sleeper, until one of them
  // answers and wakes it.
  void ask_all() {
    if (!Orderings.ask_all || !M::asymmetric() || !can_be_asked()) return;
    for (request_flag* each : requests_) {
      each->word_.exchange(unanswered_ | requested, Orderings.request_all);
    }
  }

  // Leaves the list, as a searcher or not, unless a waker has taken the caller from it: then it
  // counts as a searcher, and the waker's token is or was under way.
  bool rise(sleeper& self, bool searches) {
    mutex_.lock();
    const bool was_woken = self.woken_by_.read() != listed;
    if (was_woken) {
      counts_.fetch_add(one_searcher - one_on_its_way, Orderings.wake_up);
    } else {
      std::erase(sleepers_, &self);
      self.woken_by_.write(no_worker);
      counts_.fetch_add(searches ? one_searcher - one_sleeper : -one_sleeper, Orderings.wake_up);
    }
    mutex_.unlock();
    return was_woken || searches;
  }

  // Wakes one sleeper, or two if more jobs were `found`, while there is room. They count as
  // searchers from then on. Unless it `must`, it wakes none while another worker has the lock: of
  // many wakers, most would wait for the lock and find that enough search.
  [[gnu::noinline]] unsigned wake_sleepers(unsigned waker, search_end found, bool must) {
    sleeper* chosen[2];
    const unsigned wanted = found == search_end::more_jobs ? 2 : 1;
    unsigned count = 0;
    if (must) {
      mutex_.lock();
    } else if (!mutex_.try_lock()) {
      return 0;
    }
    while (count < wanted && !sleepers_.empty() &&
           has_room(counts_.load(Orderings.wake_up), found)) {
      chosen[count] = sleepers_.back();  // The latest to fall asleep: its cache is the warmest.
      sleepers_.pop_back();
      counts_.fetch_add(one_on_its_way - one_sleeper, Orderings.wake_up);
      chosen[count]->woken_by_.write(waker);
      ++count;
    }
    mutex_.unlock();
    for (unsigned i = 0; i < count; ++i) chosen[i]->parker.unpark();
    return count;
  }

  const unsigned most_searchers_;
  const answers answered_;
  const std::uint32_t unanswered_;       // What a flag holds while no worker asks.
  std::vector<request_flag*> requests_;  // By worker.
  alignas(64)
      typename M::template atomic<std::uint64_t> counts_;  // Written by idle workers, wakers.
  alignas(64) typename M::mutex mutex_;
  std::vector<sleeper*> sleepers_;  // Under mutex_.
};

}  // namespace stealbench::engine
