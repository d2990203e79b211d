// Memory for the jobs of task groups: blocks of one size, kept by the worker that spawns.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <vector>

namespace stealbench::engine {

/// Hands out blocks last in, first out, so that the next spawn finds its block in the cache. One
/// worker only. A request that does not fit a block goes to operator new.
class block_pool {
 public:
  static constexpr std::size_t block_bytes = 128;

  block_pool() = default;
  block_pool(const block_pool&) = delete;
  block_pool& operator=(const block_pool&) = delete;
  ~block_pool() = default;

  /// Throws std::bad_alloc. Constant time but for a refill every `blocks_per_slab` blocks.
  void* allocate(std::size_t bytes, std::size_t alignment) {
    if (!fits(bytes, alignment)) return ::operator new (bytes, std::align_val_t{alignment});
    if (free_ == nullptr) [[unlikely]]
      refill();
    block* taken = free_;
    free_ = taken->next;
    return taken;
  }

  /// Takes back what allocate returned for the same size and alignment.
  void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept {
    if (!fits(bytes, alignment)) {
      ::operator delete (memory, std::align_val_t{alignment});
      return;
    }
    free_ = ::new (memory) block{free_};
  }

 private:
  union block {
    block* next;
    alignas(64) std::byte bytes[block_bytes];
  };
  static constexpr std::size_t blocks_per_slab = 64;

  static constexpr bool fits(std::size_t bytes, std::size_t alignment) {
    return bytes <= sizeof(block) && alignment <= alignof(block);
  }

  [[gnu::noinline]] void refill() {
    slabs_.reserve(slabs_.size() + 1);  // First, so that a failure loses nothing.
    slabs_.push_back(std::make_unique_for_overwrite<block[]>(blocks_per_slab));
    for (std::size_t i = blocks_per_slab; i-- > 0;) {
      slabs_.back()[i].next = free_;
      free_ = &slabs_.back()[i];
    }
  }

  block* free_ = nullptr;
  std::vector<std::unique_ptr<block[]>> slabs_;  // Freed with the worker.
};

}  // namespace stealbench::engine
