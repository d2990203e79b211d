// What makes one in-house strategy differ from another: where jobs go, and where workers look.
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "schedulers/engine/machine.hpp"
#include "schedulers/engine/sleep/parking_lot.hpp"
#include "schedulers/engine/steal_attempts.hpp"
#include "schedulers/options.hpp"

namespace stealbench::engine {

/// Where a queue put a job, and so whom the engine tells of it.
struct placement {
  static constexpr int refused = -1;  ///< Nowhere: the queue is full. The caller runs the job.
  static constexpr int shared = -2;   ///< Where any worker may take it.
  int worker;                         ///< Where only this worker takes it, or one of the above.
};

/// What a worker has pushed last.
enum class offered : std::uint8_t {
  branch,  ///< Of a fork, or of a loop.
  child,   ///< Of a group, which may have many that depend on nothing but the group.
};

/// What a queue can do beyond what every queue does. It declares that, as `can`, and has the
/// members that go with it; queue_policy refuses one that has no such member, or has it undeclared.
struct capabilities {
  /// answers_of(options): the strategy chooses when a worker makes jobs public. beat_of(options):
  /// where that is at beats, their period.
  bool choose_answers = false;
  /// expose(slot, offered): for its owner, as another worker asks for work, and `slot` is the
  /// topmost one. Is there a job that no other can see? Returns how many more others can see now,
  /// or 0 where it keeps no count.
  bool expose = false;
  /// expose_rest(topmost, eldest): for its owner, which is about to join the `many_children` or
  /// more children of a group in the slots from `eldest` on: as expose, though no other worker may
  /// have asked.
  bool expose_rest = false;
  /// begin_at(worker): for a thief that this worker has woken: where its next look is first. Does
  /// nothing if there is no such worker.
  bool begin_at = false;
  /// find_work_of(victim, tried): as find_work, at one worker's queue. Asked only where
  /// options::join may be leapfrog.
  bool find_work_of_one = false;
  /// Its find_work asks a worker and comes back for the answer. withdraw(tried): for its owner,
  /// before it stops looking: takes its request back. The job that it was given first, or null.
  /// served(): after expose() has given a job to another worker: to which, who may be asleep.
  bool ask = false;
  /// keeps_jobs_meanwhile(): whether the latest find_work, or take_back, may have put jobs into the
  /// queue, which its owner then announces as it does its own (K1 of parking_lot.hpp).
  bool keep_jobs = false;
  /// bytes(): of memory beside the slots, between runs, the most that it has had.
  bool tell_bytes = false;
  /// weigh(victim, length): for a thief that has run a job of another worker: how long it took,
  /// with all that the thief did while it waited in it.
  bool weigh = false;
  /// No member: retire() of a slot is also for the slots above it whose jobs other workers have
  /// taken and are done with. The engine has closed their entries, and has not tried to take them
  /// back.
  bool retire_together = false;
  /// No member: a job is out of reach of other workers while its owner neither forks nor looks
  /// around in a loop. No idle worker need be left asleep for it.
  bool give_at_forks_alone = false;

  friend bool operator==(const capabilities&, const capabilities&) = default;
};

/// The team of the dynamic strategies: any worker may come, so there is nothing to divide.
struct whole_pool {
  /// Whether a branch belongs to the workers of its team and no other may run it.
  static constexpr bool is_fixed = false;

  whole_pool() = default;
  explicit constexpr whole_pool(unsigned /*workers*/) {}
  /// Whether the branch has no other worker than the one that runs it.
  [[nodiscard]] static constexpr bool alone() { return false; }
  /// Of `length` loop indices, how many go to the first branch.
  [[nodiscard]] static constexpr std::size_t cut(std::size_t length) { return length / 2; }
};

struct no_links {};

/// The base of a policy of either engine, of what most of them have: any worker may take a job.
template <class M, template <class> class Queue, class Links = no_links>
struct policy_on {
  using machine = M;
  static constexpr bool directed = false;
  using job_links = Links;
  using team = whole_pool;
  template <class Slot>
  using queue = Queue<Slot>;
};

/// A policy names a strategy and supplies
///  - `name`: as on the command line; `describe()`: what `stealbench list` says of it;
///  - `machine`: what it runs on;
///  - `job_links`: what a queue keeps in each slot. All zero bits must be its initial state;
///  - `team`: which workers may run a branch and what it forks (whole_pool);
///  - `directed`: whether a job is meant for one worker, or for any;
///  - `queue<Slot>`: one worker's queue, a queue_for<Slot>.
///
/// Static partition is the exception: its team is fixed, so that a job goes to the worker that
/// leads the job's team, and its owner never takes it back. `team::is_fixed` marks the five places
/// that know of it: a fork and a job's start (task_slot.hpp, worker.hpp) hand teams on, a spawn
/// keeps the child, and a sync divides the team among the children and runs the caller's own
/// (task_group.hpp). `job_links` then has `assigned_to`, the team of the job.
template <class P>
concept policy_parts = machine<typename P::machine> && requires {
  typename P::job_links;
  typename P::team;
  { P::name } -> std::convertible_to<std::string_view>;
  { P::directed } -> std::convertible_to<bool>;
};

/// The operations of one worker's queue, made from the queues' `shared` state, the worker's
/// index and its slots.
template <class Q, class Slot>
concept queue_for = std::constructible_from<typename Q::shared, const schedulers::options&> &&
    std::constructible_from<Q, typename Q::shared&, unsigned, Slot*, Slot*> &&
    requires(Q& own, const Q& any, Slot& slot, const typename Slot::kind_type& kind,
             steal_attempts& tried) {
  /// Owner: where does a new job go? Opens the slot's entry, unless refused.
  { own.push(slot, kind) } -> std::same_as<placement>;
  /// Owner: is the job still unstarted, and can its owner have it? Closes the entry.
  { own.take_back(slot) } -> std::same_as<bool>;
  /// Owner: the job was not taken back, and who took it is done with it. Closes the entry.
  own.retire(slot);
  /// Owner: where does an idle worker look? Null if it finds nothing. Counts its attempts.
  { own.find_work(tried) } -> std::same_as<Slot*>;
  /// Owner: is there a job that find_work may find?
  { any.has_work() } -> std::same_as<bool>;
};

/// The same at the queue of a strategy that is not directed.
template <class Q, class Slot>
concept queue_for_any_worker = requires(Q& own, const Q& any) {
  /// Owner: after find_work has found a job: is there more where it was? A hint.
  { any.sees_more() } -> std::same_as<bool>;
  /// Where others ask its owner for work (parking_lot.hpp): on a line that the owner reads often.
  { own.requested } -> std::same_as<typename Slot::lot::request_flag&>;
};

/// The capabilities whose members a queue has. `Job` is what find_work finds.
template <class Q, class Job>
constexpr capabilities members_of() {
  capabilities has;
  has.choose_answers = requires(const schedulers::options& chosen) {
    { Q::answers_of(chosen) } -> std::same_as<answers>;
    { Q::beat_of(chosen) } -> std::same_as<std::chrono::nanoseconds>;
  };
  has.expose = requires(Q & own, Job & job) {
    { own.expose(job, offered::child) } -> std::same_as<std::uint32_t>;
  };
  has.expose_rest = requires(Q & own, Job & job) {
    { own.expose_rest(job, job) } -> std::same_as<std::uint32_t>;
    { Q::many_children } -> std::convertible_to<unsigned>;
  };
  has.begin_at = requires(Q & own) { own.begin_at(0U); };
  has.find_work_of_one = requires(Q & own, steal_attempts & tried) {
    { own.find_work_of(0U, tried) } -> std::same_as<Job*>;
  };
  has.ask = requires(Q & own, const Q& any, steal_attempts& tried) {
    { own.withdraw(tried) } -> std::same_as<Job*>;
    { any.served() } -> std::same_as<unsigned>;
  };
  has.keep_jobs = requires(const Q& any) {
    { any.keeps_jobs_meanwhile() } -> std::same_as<bool>;
  };
  has.tell_bytes = requires(const Q& any) {
    { any.bytes() } -> std::same_as<std::size_t>;
  };
  has.weigh = requires(Q & own, std::chrono::nanoseconds length) { own.weigh(0U, length); };
  has.retire_together = Q::can.retire_together;
  has.give_at_forks_alone = Q::can.give_at_forks_alone;
  return has;
}
template <class Q, class Job>
concept does_as_declared = (Q::can == members_of<Q, Job>());

template <class Policy, bool Counting>
class task_slot;

template <class P>
concept queue_policy = policy_parts<P> &&
    queue_for<typename P::template queue<task_slot<P, false>>, task_slot<P, false>> &&
    does_as_declared<typename P::template queue<task_slot<P, false>>, task_slot<P, false>> &&
    (P::directed ||
     queue_for_any_worker<typename P::template queue<task_slot<P, false>>, task_slot<P, false>>);

}  // namespace stealbench::engine
