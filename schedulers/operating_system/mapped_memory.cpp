#include "schedulers/operating_system/mapped_memory.hpp"

#include <cerrno>
#include <cstdint>
#include <string>
#include <system_error>

#include <sys/mman.h>
#include <unistd.h>

namespace stealbench::operating_system {
namespace {

[[noreturn]] void refuse(std::string_view what, std::size_t bytes) {
  const int error = errno;
  throw std::system_error(
      error, std::generic_category(),
      "cannot reserve " + std::string(what) + " of " + std::to_string(bytes) + " bytes");
}

}  // namespace

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

mapped_memory::mapped_memory(std::string_view what, std::size_t bytes, std::size_t alignment,
                             bool guard) {
  const std::size_t page = page_bytes();
  const std::size_t below = guard ? page : 0;
  bytes = (bytes + page - 1) / page * page;
  // Enough that an aligned block is within; what is around it is given back.
  const std::size_t mapped_bytes = below + bytes + (alignment > page ? alignment : 0);
  void* const mapped = mmap(nullptr, mapped_bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) refuse(what, bytes);
  auto* const first = static_cast<std::byte*>(mapped);
  const auto begin = reinterpret_cast<std::uintptr_t>(first) + below;
  const std::size_t before = (alignment - begin % alignment) % alignment;
  begin_ = {first + before + below, unmapping{.below = below, .bytes = bytes}};
  const std::size_t behind = mapped_bytes - before - below - bytes;
  if (before > 0) munmap(first, before);
  if (behind > 0) munmap(end(), behind);
  // A huge page would commit two megabytes for the first byte.
  madvise(this->begin(), bytes, MADV_NOHUGEPAGE);
  if (guard && mprotect(first + before, page, PROT_NONE) != 0) refuse(what, bytes);
}

void mapped_memory::unmapping::operator()(std::byte* begin) const {
  munmap(begin - below, below + bytes);
}

void clear_pages(std::byte* begin, std::size_t bytes) { madvise(begin, bytes, MADV_DONTNEED); }

}  // namespace stealbench::operating_system
