#include "schedulers/strands/stack_memory.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <system_error>

#include <sys/mman.h>
#include <unistd.h>

namespace stealbench::strands {
namespace {

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

std::size_t whole_pages(std::size_t bytes) {
  return (bytes + page_bytes() - 1) / page_bytes() * page_bytes();
}

}  // namespace

stack_memory::stack_memory(std::size_t bytes) : bytes_(whole_pages(std::max(bytes, least_bytes))) {
  const std::size_t guard = page_bytes();
  // Without access first: then the guard page is what is left so.
  void* const mapped = mmap(nullptr, guard + bytes_, PROT_NONE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  const bool reserved = mapped != MAP_FAILED;
  bottom_ = static_cast<std::byte*>(mapped) + guard;
  if (!reserved || mprotect(bottom_, bytes_, PROT_READ | PROT_WRITE) != 0) {
    const int error = errno;
    if (reserved) munmap(mapped, guard + bytes_);
    throw std::system_error(
        error, std::generic_category(),
        "cannot reserve a strand's stack of " + std::to_string(bytes_) + " bytes");
  }
  // A huge page would commit two megabytes for a strand's first frame.
  madvise(bottom_, bytes_, MADV_NOHUGEPAGE);
}

stack_memory::~stack_memory() { munmap(bottom_ - page_bytes(), bytes_ + page_bytes()); }

std::size_t stack_memory::committed_bytes() const {
  constexpr std::size_t pages_at_a_time = 64;
  std::array<unsigned char, pages_at_a_time> in_memory{};
  std::size_t committed = 0;
  for (std::byte* end = top(); end > bottom_;) {
    const std::size_t length =
        std::min(pages_at_a_time * page_bytes(), static_cast<std::size_t>(end - bottom_));
    end -= length;
    if (mincore(end, length, in_memory.data()) != 0) break;
    const auto count = static_cast<std::size_t>(
        std::count_if(in_memory.begin(), in_memory.begin() + length / page_bytes(),
                      [](unsigned char page) { return (page & 1U) != 0; }));
    if (count == 0) break;
    committed += count * page_bytes();
  }
  return committed;
}

}  // namespace stealbench::strands
