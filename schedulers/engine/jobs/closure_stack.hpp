// Memory for the closures of task groups that fit no slot: a stack beside the slots.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

namespace stealbench::engine {

/// Children are joined youngest first, so their closures come and go as frames do: to allocate adds
/// to a pointer, and to release sets it back. One worker only; others read what is here. The
/// memory is a chain of chunks that grows and is freed with the worker.
///
/// Where a chunk begins and ends follows from any address in it, so that releasing the first
/// closure of a chunk leads back to the chunk below without a look.
class closure_stack {
 public:
  static constexpr std::size_t chunk_bytes = std::size_t{1} << 14;
  /// So that a chunk holds many of the greatest; a larger closure costs more to copy than operator
  /// new costs.
  static constexpr std::size_t most_bytes = std::size_t{1} << 10;
  static constexpr std::size_t most_alignment = 64;

  closure_stack() = default;
  closure_stack(const closure_stack&) = delete;
  closure_stack& operator=(const closure_stack&) = delete;
  ~closure_stack() {
    for (chunk* each = first_; each != nullptr;) {
      chunk* const next = each->next;
      delete each;
      each = next;
    }
  }

  /// Room for a T, above all others. Throws std::bad_alloc.
  template <class T>
  [[gnu::always_inline]] void* allocate() {
    if constexpr (!fits(sizeof(T), alignof(T))) {
      return ::operator new (sizeof(T), std::align_val_t{alignof(T)});
    } else {
      std::uintptr_t place = aligned<T>(top_);
      // So that the top of a full chunk is still an address in it.
      constexpr std::size_t most_offset = chunk_bytes - alignof(void*);
      if (offset(top_) + (place - top_) + sizeof(T) > most_offset) [[unlikely]] {
        place = aligned<T>(start_of_next_chunk());
      }
      top_ = aligned<void*>(place + sizeof(T));
      return reinterpret_cast<void*>(place);
    }
  }

  /// Takes back what allocate has returned last of all that has not been released.
  template <class T>
  [[gnu::always_inline]] void release(T* memory) noexcept {
    if constexpr (!fits(sizeof(T), alignof(T))) {
      ::operator delete (memory, std::align_val_t{alignof(T)});
    } else {
      top_ = reinterpret_cast<std::uintptr_t>(memory);
    }
  }

 private:
  struct alignas(chunk_bytes) chunk {
    chunk* next = nullptr;
    std::byte room[chunk_bytes - sizeof(void*)];
  };
  static_assert(sizeof(chunk) == chunk_bytes);

  static constexpr bool fits(std::size_t bytes, std::size_t alignment) {
    return bytes <= most_bytes && alignment <= most_alignment;
  }
  template <class T>
  static std::uintptr_t aligned(std::uintptr_t address) {
    return (address + alignof(T) - 1) & ~std::uintptr_t{alignof(T) - 1};
  }
  static std::size_t offset(std::uintptr_t address) { return address % chunk_bytes; }

  // The chunks above the top are empty.
  [[gnu::noinline, gnu::cold]] std::uintptr_t start_of_next_chunk() {
    auto* const current = reinterpret_cast<chunk*>(top_ - offset(top_));
    chunk*& next = current == nullptr ? first_ : current->next;
    if (next == nullptr) next = new chunk;
    return reinterpret_cast<std::uintptr_t>(next->room);
  }

  chunk* first_ = nullptr;
  // Where the next closure goes; as if at the end of a chunk at address 0 that is full.
  std::uintptr_t top_ = chunk_bytes - 1;
};

}  // namespace stealbench::engine
