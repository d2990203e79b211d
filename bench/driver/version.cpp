// A file of its own, because it is compiled again after every commit.
#include "bench/driver/version.hpp"

#include "bench/cell/commit.hpp"

namespace stealbench::driver {

std::string version_text() {
  return std::string("stealbench ") + STEALBENCH_VERSION + " (commit " + cell::commit + ")";
}

std::string commit() { return cell::commit; }

}  // namespace stealbench::driver
