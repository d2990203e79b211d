// Memory that is reserved whole and committed page by page as it is first touched.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace stealbench::operating_system {

[[nodiscard]] std::size_t page_bytes();

/// Zero bytes at a multiple of `alignment`, for as long as it lives.
class mapped_memory {
 public:
  /// None.
  mapped_memory() = default;
  /// `bytes` are rounded up to pages; `alignment` is a power of two. With `guard` there is a page
  /// below the beginning where an access ends the process. Throws std::system_error, which names
  /// `what` it is for and the size, if the address space or the guard cannot be had.
  explicit mapped_memory(std::string_view what, std::size_t bytes, std::size_t alignment = 1,
                         bool guard = false);

  [[nodiscard]] std::byte* begin() const { return begin_.get(); }
  [[nodiscard]] std::byte* end() const { return begin() + bytes(); }
  [[nodiscard]] std::size_t bytes() const { return begin_.get_deleter().bytes; }

 private:
  struct unmapping {
    std::size_t below;  // Of the guard.
    std::size_t bytes;
    void operator()(std::byte* begin) const;
  };
  std::unique_ptr<std::byte, unmapping> begin_;
};

/// Makes whole pages zero again, and gives their memory back.
void clear_pages(std::byte* begin, std::size_t bytes);

}  // namespace stealbench::operating_system
