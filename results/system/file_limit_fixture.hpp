// For tests of a disk that is full.
#pragma once

#include <csignal>

#include <sys/resource.h>

namespace stealbench::system {

/// While it lives no file of this process can grow beyond this many bytes, as on a full disk.
class file_limit {
 public:
  explicit file_limit(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  file_limit(const file_limit&) = delete;
  file_limit& operator=(const file_limit&) = delete;
  ~file_limit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, SIG_DFL);
  }

 private:
  rlimit before_{};
};

}  // namespace stealbench::system
