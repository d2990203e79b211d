// Memory that is reserved whole and committed page by page.
#pragma once

#include <cstddef>
#include <utility>

namespace stealbench::virtual_machine {

/// Zero bytes at a multiple of `alignment`, for as long as it lives.
class mapped_memory {
 public:
  mapped_memory() = default;
  /// `alignment` is a power of two. With `guard` an access below its beginning ends the process.
  /// Throws std::system_error if the address space cannot be had.
  explicit mapped_memory(std::size_t bytes, std::size_t alignment = 1, bool guard = false);
  mapped_memory(const mapped_memory&) = delete;
  mapped_memory& operator=(const mapped_memory&) = delete;
  mapped_memory(mapped_memory&& from) noexcept
      : mapped_(std::exchange(from.mapped_, nullptr)),
        mapped_bytes_(std::exchange(from.mapped_bytes_, 0)),
        begin_(std::exchange(from.begin_, nullptr)),
        bytes_(std::exchange(from.bytes_, 0)) {}
  mapped_memory& operator=(mapped_memory&& from) noexcept {
    std::swap(mapped_, from.mapped_);
    std::swap(mapped_bytes_, from.mapped_bytes_);
    std::swap(begin_, from.begin_);
    std::swap(bytes_, from.bytes_);
    return *this;
  }
  ~mapped_memory();

  [[nodiscard]] std::byte* begin() const { return begin_; }
  [[nodiscard]] std::byte* end() const { return begin_ + bytes_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  void* mapped_ = nullptr;
  std::size_t mapped_bytes_ = 0;
  std::byte* begin_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Makes whole pages zero again, and gives their memory back.
void clear_pages(std::byte* begin, std::size_t bytes);

}  // namespace stealbench::virtual_machine
