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
  fork_join,  ///< A fork_join whose second branch is offered to other workers.
  call,       ///< A fork_join that runs both branches in order, with nothing offered.
  spawn,      ///< A child of a task group.
  piece,      ///< The pieces of a loop between two looks for idle workers.
  look,       ///< A look at another worker's queue, beside its memory accesses.
};

/// How long a sleeper sleeps before it looks for work by itself: the first time, and at most, after
/// twice as long each time; both times its rank among the sleepers. Zero: until it is woken.
struct naps {
  std::chrono::nanoseconds first{};
  std::chrono::nanoseconds longest{};
};

/// How many workers there may be, and how long a worker looks for work before it sleeps, and sleeps
/// before it looks.
struct limits {
  unsigned max_workers = 1;  ///< The most that a scheduler may have here.
  /// Rounds in which it spins, of at most `longest_pause` pauses each (16 times as many with an
  /// exponential backoff), and then rounds in which it yields.
  unsigned spin_rounds = 0;
  unsigned yield_rounds = 0;
  unsigned longest_pause = 1;
  unsigned rounds_unseen = 0;  ///< After so many it goes on only as one of `most_searchers`.
  naps sleeps{};
};

/// A machine is a memory model that also supplies
///  - `zeroed_atomic<T>` and `zeroed_plain<T>`: an atomic<T> and a plain<T> in the memory of a
///    job_stack, where they begin as zero without a constructor call; elsewhere they must be
///    value-initialised;
///  - `yield()`: lets other threads run. `spin()` is for short waits, this for longer ones;
///  - `now()`: a monotonic clock;
///  - `thread(stack_bytes, processor, body)`: a thread that its destructor joins, on the
///    processor-th of the processors that the process may use if one is given. Throws
///    std::system_error when it cannot be started or pinned. `is_calling()`: whether the calling
///    thread is this one;
///  - `process_mark`: of the process in which it is made. `is_here()`: not in a child of that one;
///    `expect_here()` ends a child;
///  - `this_thread()`: equal for two calls if the same thread makes them;
///  - `pin_scope(index)`: pins the calling thread, until it is destroyed. Throws std::system_error;
///  - `workers_by_distance(worker, workers)`: all workers, the nearest to `worker` first;
///  - `job_stack`: an aligned block of `bytes` bytes; `beginning_of(inside)` finds its begin();
///    `start_slots<Slot>(place, count)` begins the lifetimes of an array of slots there, all zero,
///    and end_slots(first, count) ends them;
///  - `prefetch(word)`: a hint that the worker will soon read a zeroed_atomic;
///  - `charge(cost)`: of effect in simulated time alone;
///  - `reads(object, name)`, `writes(object)`: the worker is about to use plain data that may come
///    from another worker, whose first line is waited for under that name. Of effect in simulated
///    time alone;
///  - `limits()`, `join_rounds(workers)`, `most_searchers(workers)`: constants, but for simulated
///    time. What one strategy alone asks for is with that
///    (work_stealing/protocols/deque_limits.hpp).
/// It may bring memory for stacks of its own (fibers/stack_memory.hpp), and a gate (run_gate.hpp).
template <class M>
concept machine = memory_model<M> &&
    requires(std::byte* place, const void* inside, typename M::job_stack& stack,
             typename M::template zeroed_atomic<std::uint32_t>& word,
             typename M::template zeroed_plain<int>& data, std::uint32_t value) {
  { word.load(order::relaxed) } -> std::same_as<std::uint32_t>;
  word.store(value, order::relaxed);
  { word.exchange(value, order::acq_rel) } -> std::same_as<std::uint32_t>;
  {
    word.compare_exchange_strong(value, value, order::seq_cst, order::relaxed)
    } -> std::same_as<bool>;
  { data.read() } -> std::convertible_to<int>;
  data.write(1);
  M::yield_thread();
  { M::now() } -> std::same_as<std::chrono::steady_clock::time_point>;
  requires std::constructible_from<typename M::thread, std::size_t, std::optional<unsigned>,
                                   std::function<void()>>;
  requires std::equality_comparable<decltype(M::this_thread())>;
  typename M::process_mark;
  requires std::constructible_from<typename M::pin_scope, unsigned>;
  { M::workers_by_distance(0U, 1U) } -> std::same_as<std::vector<unsigned>>;
  { stack.begin() } -> std::same_as<std::byte*>;
  { M::job_stack::beginning_of(inside) } -> std::same_as<void*>;
  M::job_stack::template end_slots<std::uint32_t>(
      M::job_stack::template start_slots<std::uint32_t>(place, std::size_t{}), std::size_t{});
  M::prefetch(word);
  M::charge(cost::fork_join);
  M::reads(data, "");
  M::writes(data);
  /// Bytes of a job_stack: a power of two.
  requires std::same_as<decltype(M::job_stack::bytes), const std::size_t>;
  { M::limits() } -> std::same_as<limits>;
  /// spin_rounds of a worker that waits at a join, by the number of workers.
  { M::join_rounds(1U) } -> std::same_as<unsigned>;
  /// How many may search at a time, likewise.
  { M::most_searchers(1U) } -> std::same_as<unsigned>;
};

}  // namespace stealbench::engine
