// What schedulers check of those who make and enter them.
#pragma once

#include <cassert>
#include <stdexcept>
#include <string>

#include "schedulers/options.hpp"

namespace stealbench::engine {

/// The same options. Throws std::invalid_argument for a worker count outside 1 to
/// those of Machine::limits().
template <class Machine>
const schedulers::options& checked(const schedulers::options& options) {
  const unsigned most = Machine::limits().max_workers;
  if (options.workers < 1 || options.workers > most) {
    throw std::invalid_argument("a scheduler has 1 to " + std::to_string(most) + " workers");
  }
  return options;
}

/// A check in debug builds that no run begins inside of another; `running` is the scheduler's.
class exclusive_run {
 public:
#ifdef NDEBUG
  explicit exclusive_run(bool& /*running*/) {}
#else
  explicit exclusive_run(bool& running) : running_(running) {
    assert(!running && "a scheduler's run is not entered from inside a run");
    running_ = true;
  }
  exclusive_run(const exclusive_run&) = delete;
  exclusive_run& operator=(const exclusive_run&) = delete;
  ~exclusive_run() { running_ = false; }

 private:
  bool& running_;
#endif
};

}  // namespace stealbench::engine
