// The memory of a fiber's stack: reserved whole, committed page by page as it is first touched.
#pragma once

#include <algorithm>
#include <cstddef>

#include "schedulers/operating_system/mapped_memory.hpp"

namespace stealbench::fibers {

/// A block of memory with a guard page below it. What grows beyond it page by page ends the process
/// by a signal. So do frames of any size in code that is compiled with -fstack-clash-protection,
/// which touches each page of a frame, as all code of this project is. In other code a frame of
/// more than a page (4 KiB on x86-64) may step over the guard into what is below, without a signal.
class stack_memory {
 public:
  /// Of `bytes` bytes, rounded up to pages, or `least_bytes`. Throws std::system_error, which names
  /// the size, when the address space cannot be had.
  explicit stack_memory(std::size_t bytes)
      : memory_("a fiber's stack", (std::max)(bytes, least_bytes), 1, /*guard=*/true) {}

  [[nodiscard]] std::byte* bottom() const { return memory_.begin(); }
  [[nodiscard]] std::byte* top() const { return memory_.end(); }
  [[nodiscard]] std::size_t bytes() const { return memory_.bytes(); }

  /// Bytes of the pages that are in memory, from the top down to the first gap of 64 pages.
  [[nodiscard]] std::size_t committed_bytes() const;

  static constexpr std::size_t least_bytes = std::size_t{16} << 10;

 private:
  operating_system::mapped_memory memory_;
};

/// What a machine's fibers have their stacks in: the above, unless the machine brings its own.
template <class M>
struct stack_memory_on {
  using type = stack_memory;
};
template <class M>
requires requires { typename M::stack_memory; }
struct stack_memory_on<M> {
  using type = typename M::stack_memory;
};

}  // namespace stealbench::fibers
