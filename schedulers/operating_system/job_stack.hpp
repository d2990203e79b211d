// The memory in which a worker's jobs are, as frames are on a call stack: reserved whole, committed
// page by page as it is first touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

#include "schedulers/operating_system/mapped_memory.hpp"

namespace stealbench::operating_system {

/// What is done in a block of `bytes` zero bytes that begins at a multiple of `bytes`, so that
/// whoever has a pointer into it finds its beginning by a mask.
struct job_slots {
  /// Slots of one cache line for a million nested or spawned jobs, of two for half as many. What
  /// does not fit runs inline.
  static constexpr std::size_t bytes = std::size_t{64} << 20;

  /// The first of `count` slots at `place`, in the block. Costs nothing and touches no memory:
  /// memory from mmap is taken to begin the lifetimes of the objects in it as memory from calloc
  /// does, with all bits zero, so a slot must be of a type that needs no constructor and no
  /// destructor ([intro.object], implicit object creation).
  template <class Slot>
  static Slot* start_slots(std::byte* place, std::size_t /*count*/) {
    static_assert(std::is_trivially_default_constructible_v<Slot> &&
                  std::is_trivially_destructible_v<Slot>);
    return std::launder(reinterpret_cast<Slot*>(place));
  }
  template <class Slot>
  static void end_slots(Slot* /*first*/, std::size_t /*count*/) {}

  /// The beginning of the block that `inside` points into.
  [[nodiscard, gnu::always_inline]] static void* beginning_of(const void* inside) {
    return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(inside) & ~(bytes - 1));
  }
};

class job_stack : public job_slots {
 public:
  /// Throws std::system_error when the address space cannot be had.
  job_stack() : memory_("a job stack", bytes, bytes) {}

  [[nodiscard]] std::byte* begin() const { return memory_.begin(); }

 private:
  mapped_memory memory_;
};

}  // namespace stealbench::operating_system
