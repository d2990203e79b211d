// For tests of what must come to an end.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace stealbench::schedulers::contract {

/// The threads of this process, as the kernel says.
struct thread_states {
  unsigned running = 0;
  unsigned asleep = 0;
};
inline thread_states states_of_threads() {
  thread_states states;
  for (const auto& each : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream stat(each.path() / "stat");
    std::string line;
    std::getline(stat, line);
    const std::size_t name_ends = line.rfind(')');  // The name may have any character.
    if (name_ends == std::string::npos || name_ends + 2 >= line.size()) continue;
    ++(line[name_ends + 2] == 'S' ? states.asleep : states.running);
  }
  return states;
}
inline std::string describe_threads() {
  const auto [running, asleep] = states_of_threads();
  return std::to_string(running) + " of its threads run, " + std::to_string(asleep) + " sleep";
}

/// How long a thread has waited for what other threads do. A look counts for `longest_look` at
/// most: a process that is stopped, or a thread that gets no processor, does not wait meanwhile.
template <class Clock = std::chrono::steady_clock>
class waiting_time {
 public:
  using duration = typename Clock::duration;
  explicit waiting_time(duration limit = std::chrono::minutes{1},
                        duration longest_look = std::chrono::milliseconds{10})
      : left_(limit), longest_look_(longest_look) {}

  /// Looks, and says whether the limit has been reached.
  [[nodiscard]] bool is_over() {
    const typename Clock::time_point now = Clock::now();
    left_ -= std::min(now - latest_, longest_look_);
    latest_ = now;
    return left_ <= duration::zero();
  }

 private:
  duration left_;
  const duration longest_look_;
  typename Clock::time_point latest_ = Clock::now();
};

/// While it lives, the process has a minute, in which it is not stopped: then it ends with a
/// message that says what has hung, where CTest could only say that something has.
class time_limit {
 public:
  /// `state` is asked for once the minute is over, on another thread.
  explicit time_limit(std::string what, std::function<std::string()> state = describe_threads,
                      std::chrono::seconds limit = std::chrono::minutes{1})
      : watches_([this, what = std::move(what), state = std::move(state), limit] {
          constexpr std::chrono::milliseconds look{100};
          waiting_time<> waited(limit, 2 * look);
          std::unique_lock lock(mutex_);
          while (!waited.is_over()) {
            if (ended_.wait_for(lock, look, [this] { return is_over_; })) return;
          }
          std::fprintf(stderr, "not ended after %lld s: %s. %s\n",
                       static_cast<long long>(limit.count()), what.c_str(), state().c_str());
          std::_Exit(1);
        }) {}
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
