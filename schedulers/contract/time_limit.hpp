// For tests of what must come to an end.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace stealbench::schedulers::contract {

/// While it lives, the process has a minute: then it ends with a message that says what has hung,
/// where CTest could only say that something has.
class time_limit {
 public:
  /// `state` is asked for once the minute is over, on another thread.
  explicit time_limit(
      std::string what, std::function<std::string()> state = [] { return std::string(); },
      std::chrono::seconds limit = std::chrono::minutes{1})
      : watches_([this, what = std::move(what), state = std::move(state), limit] {
          std::unique_lock lock(mutex_);
          if (ended_.wait_for(lock, limit, [this] { return is_over_; })) return;
          std::fprintf(stderr, "not ended after %lld s: %s. %s\n",
                       static_cast<long long>(limit.count()), what.c_str(), state().c_str());
          std::fflush(stderr);
          std::_Exit(1);
        }) {}
  time_limit(const time_limit&) = delete;
  time_limit& operator=(const time_limit&) = delete;
  ~time_limit() {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    ended_.notify_one();
    watches_.join();
  }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool is_over_ = false;  // Under mutex_.
  std::thread watches_;   // Last: it uses the others.
};

}  // namespace stealbench::schedulers::contract
