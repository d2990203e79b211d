#include "schedulers/virtual_machine/mapped_memory.hpp"

#include <cerrno>
#include <cstdint>
#include <system_error>

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace stealbench::virtual_machine {

mapped_memory::mapped_memory(std::size_t bytes, std::size_t alignment, bool guard) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t below = guard ? page : 0;
  bytes_ = (bytes + page - 1) / page * page;
  mapped_bytes_ = bytes_ + below + (alignment > page ? alignment : 0);
  mapped_ = mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped_ == MAP_FAILED) {
    mapped_ = nullptr;
    throw std::system_error(errno, std::generic_category(),
                            fmt::format("cannot reserve {} bytes of address space", mapped_bytes_));
  }
  // A huge page would commit two megabytes for the first byte.
  madvise(mapped_, mapped_bytes_, MADV_NOHUGEPAGE);
  const auto first = reinterpret_cast<std::uintptr_t>(mapped_) + below;
  begin_ = static_cast<std::byte*>(mapped_) + below + (alignment - first % alignment) % alignment;
  if (guard) mprotect(begin_ - page, page, PROT_NONE);
}

mapped_memory::~mapped_memory() {
  if (mapped_ != nullptr) munmap(mapped_, mapped_bytes_);
}

void clear_pages(std::byte* begin, std::size_t bytes) { madvise(begin, bytes, MADV_DONTNEED); }

}  // namespace stealbench::virtual_machine
