#include "schedulers/operating_system/job_stack.hpp"

#include <cerrno>
#include <string>
#include <system_error>

#include <sys/mman.h>

namespace stealbench::operating_system {

job_stack::job_stack() {
  // Twice the size, so that an aligned block lies within; what lies around it is given back.
  void* const mapped = mmap(nullptr, 2 * bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) {
    throw std::system_error(errno, std::generic_category(),
                            "cannot reserve a job stack of " + std::to_string(bytes) + " bytes");
  }
  std::byte* const first = static_cast<std::byte*>(mapped);
  begin_ = static_cast<std::byte*>(beginning_of(first + bytes - 1));
  const auto before = static_cast<std::size_t>(begin_ - first);
  if (before > 0) munmap(first, before);
  if (before < bytes) munmap(begin_ + bytes, bytes - before);
  // A huge page would commit two megabytes for a worker's first job.
  madvise(begin_, bytes, MADV_NOHUGEPAGE);
}

job_stack::~job_stack() { munmap(begin_, bytes); }

}  // namespace stealbench::operating_system
