// What the in-house schedulers ask of the machine that they run on. The engine is a template over
// it, so that one source runs on the real machine (std_machine.hpp), under the Relacy Race Detector
// (verify/relacy_machine.hpp), on the real machine with random delays (verify/chaos_machine.hpp)
// and in simulated time (schedulers/virtual_machine/machine.hpp).
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "schedulers/engine/memory_model.hpp"

namespace stealbench::engine {

/// What a machine in simulated time charges for, beside memory accesses: the instructions that the
/// engine executes for one of these at one worker.
enum class cost : std::uint8_t {
  fork,   ///< A fork_join whose second branch is offered to other workers.
  call,   ///< A fork_join that runs both branches in order, with nothing offered.
  spawn,  ///< A child of a task group.
  piece,  ///< The pieces of a loop between two looks for idle workers.
  look,   ///< A look at another worker's queue, beside its memory accesses.
};

/// A machine is a memory model that also supplies
///  - `zeroed_atomic<T>` and `zeroed_plain<T>`: an atomic<T> and a plain<T> in the memory of a
///    job_stack, where they begin as zero without a constructor call; elsewhere they must be
///    value-initialised;
///  - `yield()`: lets other threads run. `spin()` is for short waits, this for longer ones;
///  - `now()`: a monotonic clock;
///  - `thread(stack_bytes, processor, body)`: a thread that its destructor joins, on the
///    processor-th of the processors that the process may use if one is given. Throws
///    std::system_error when it cannot be started or pinned;
///  - `this_thread()`: equal for two calls if the same thread makes them;
///  - `pin_scope(index)`: pins the calling thread, until it is destroyed. Throws std::system_error;
///  - `run_on_stack(bytes, body)`: runs `body` on a stack of that size and waits for it;
///  - `workers_by_distance(worker, workers)`: all workers, the nearest to `worker` first;
///  - `job_stack`: an aligned block of `bytes` bytes; `beginning_of(inside)` finds its begin();
///    `start_slots<Slot>(place, count)` begins the lifetimes of an array of slots there, all zero,
///    and end_slots(first, count) ends them;
///  - `charge(cost)`: of effect in simulated time alone;
///  - `reads(object, name)`, `writes(object)`: the worker is about to use plain data that may come
///    from another worker, whose first line is waited for under that name. Of effect in simulated
///    time alone;
///  - limits and tuning constants, as below.
template <class M>
concept machine = memory_model<M> &&
    requires(const std::function<void()>& body, std::byte* place, const void* inside,
             typename M::job_stack& stack, typename M::template zeroed_atomic<std::uint32_t>& word,
             const typename M::template zeroed_plain<int>& data) {
  { word.load(order::relaxed) } -> std::same_as<std::uint32_t>;
  { data.read() } -> std::convertible_to<int>;
  M::yield();
  { M::now() } -> std::same_as<std::chrono::steady_clock::time_point>;
  requires std::constructible_from<typename M::thread, std::size_t, std::optional<unsigned>,
                                   std::function<void()>>;
  requires std::equality_comparable<decltype(M::this_thread())>;
  requires std::constructible_from<typename M::pin_scope, unsigned>;
  M::run_on_stack(std::size_t{}, body);
  { M::workers_by_distance(0U, 1U) } -> std::same_as<std::vector<unsigned>>;
  { stack.begin() } -> std::same_as<std::byte*>;
  { M::job_stack::beginning_of(inside) } -> std::same_as<void*>;
  M::job_stack::template end_slots<std::uint32_t>(
      M::job_stack::template start_slots<std::uint32_t>(place, std::size_t{}), std::size_t{});
  M::charge(cost::fork);
  M::reads(data, "");
  M::writes(data);
  /// Bytes of a job_stack: a power of two.
  requires std::same_as<decltype(M::job_stack::bytes), const std::size_t>;
  /// The most workers that a scheduler may have here.
  { M::max_workers } -> std::convertible_to<unsigned>;
  /// How long a worker looks for work before it sleeps: rounds in which it spins, of at most
  /// `longest_pause` pauses each, and then rounds in which it yields.
  { M::spin_rounds } -> std::convertible_to<unsigned>;
  /// The same for a worker that waits at a join, by the number of workers.
  { M::join_rounds(1U) } -> std::same_as<unsigned>;
  { M::yield_rounds } -> std::convertible_to<unsigned>;
  { M::longest_pause } -> std::convertible_to<unsigned>;
  /// Of these rounds, those after which it goes on only as one of at most `most_searchers`.
  { M::rounds_unseen } -> std::convertible_to<unsigned>;
  { M::most_searchers(1U) } -> std::same_as<unsigned>;
  /// Rounds without a job before a thief of the split deque forces an owner's border.
  { M::force_after } -> std::convertible_to<unsigned>;
  /// Jobs for which a deque that grows has room at first: a power of two.
  { M::deque_capacity } -> std::convertible_to<std::size_t>;
  /// How long a worker sleeps before it looks for work without having been woken: a first time,
  /// twice as long each further time, and at most so long. Zero: until it is woken.
  { M::first_sleep } -> std::convertible_to<std::chrono::nanoseconds>;
  { M::longest_sleep } -> std::convertible_to<std::chrono::nanoseconds>;
};

}  // namespace stealbench::engine
