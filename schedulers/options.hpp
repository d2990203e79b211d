// What every scheduler is constructed from.
#pragma once

#include <cstddef>

namespace stealbench::schedulers {

/// Most workers that a scheduler accepts: far above any machine we measure on, and low enough that
/// a mistyped count is refused before it starts a million threads.
inline constexpr unsigned max_workers = 256;

/// Stack of a worker thread. Reserved, not committed: a page costs memory only once it is touched.
/// UTS T3L nests 17 844 levels and T3XXL 99 049, at a few hundred bytes each.
inline constexpr std::size_t default_stack_bytes = std::size_t{256} << 20;

/// Options of a scheduler. An aggregate, so that a caller names only what differs from the default.
struct options {
  unsigned workers = 1;                           ///< Worker count, 1 to max_workers.
  bool pin = false;                               ///< Pin worker i to the i-th allowed processor.
  std::size_t stack_bytes = default_stack_bytes;  ///< Stack of each thread that is started, bytes.
};

}  // namespace stealbench::schedulers
