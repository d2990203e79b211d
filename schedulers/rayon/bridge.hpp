// What bridge.rs offers: rayon's join and a parallel iterator, for functions of C.
#pragma once

#include <cstddef>
#include <cstdint>

namespace stealbench::rayon {

struct pool;  // Rust's.

extern "C" {
using task_function = void (*)(void* object);
using child_function = void (*)(void* object, std::size_t index);
using piece_function = void (*)(void* object, std::size_t first, std::size_t last);

/// Starts the threads, each of which calls `begin_thread` with its number. Null if one cannot be
/// started.
pool* stealbench_rayon_start(std::size_t workers, std::size_t stack_bytes,
                             void (*begin_thread)(std::size_t index));
/// Returns when the threads have ended.
void stealbench_rayon_stop(pool* of_start);
/// Calls `task(object)` in one of the threads, and waits for it.
void stealbench_rayon_run(const pool* threads, task_function task, void* object);

// These are for what runs in a pool, and no function that they call may throw.
void stealbench_rayon_join(task_function first, void* of_first, task_function second,
                           void* of_second);
/// Calls `child(object, i)` for each i below `count`, which is at least 1, in a tree of joins.
void stealbench_rayon_children(std::size_t count, child_function child, void* object);
/// Pieces have at least `grain` indices, at least 1, unless the loop has fewer.
void stealbench_rayon_loop(std::size_t first, std::size_t last, std::size_t grain,
                           piece_function piece, void* object);

/// The workload fib, written in Rust.
std::uint64_t stealbench_rayon_fib(const pool* threads, std::uint64_t n);
}

}  // namespace stealbench::rayon
