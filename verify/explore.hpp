// Runs a Relacy test suite and says what came of it; and what suites need inside.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <ostream>
#include <utility>

#include "verify/check.hpp"

#include "verify/relacy_model.hpp"

namespace stealbench::verify {

/// Inside a suite: fails the execution unless `holds`.
inline void expect(bool holds, const char* claim, source s = source::here()) {
  if (!holds) rl::ctx().fail_test(claim, rl::test_result_user_assert_failed, s.info());
}

/// Relacy places a suite in memory that malloc aligned; this aligns what needs more.
template <class T>
class boxed {
 public:
  boxed() = default;
  boxed(const boxed&) = delete;
  boxed& operator=(const boxed&) = delete;
  ~boxed() {
    if (object_ != nullptr) std::destroy_at(object_);
  }

  template <class... Args>
  void emplace(Args&&... args) {
    void* place = bytes_;
    std::size_t room = sizeof bytes_;
    object_ = ::new (std::align(alignof(T), sizeof(T), place, room)) T(std::forward<Args>(args)...);
  }
  T* operator->() { return object_; }
  T& operator*() { return *object_; }

 private:
  unsigned char bytes_[sizeof(T) + alignof(T)];
  T* object_ = nullptr;
};

/// Simulates `Suite` (an rl::test_suite) until it fails or the search ends.
template <class Suite>
[[nodiscard]] verdict explore(const search& s, std::ostream& log) {
  std::ostream nowhere(nullptr);
  rl::test_params params;
  params.output_stream = &log;
  params.progress_stream = &nowhere;
  switch (s.how) {
    case search::kind::full:
      params.search_type = rl::fair_full_search_scheduler_type;
      break;
    case search::kind::bound:
      params.search_type = rl::fair_context_bound_scheduler_type;
      params.context_bound = static_cast<unsigned>(s.limit);
      break;
    case search::kind::random:
      params.search_type = rl::random_scheduler_type;
      params.iteration_count = s.limit;
      break;
  }
  const auto begin = std::chrono::steady_clock::now();
  rl::simulate<Suite>(params);  // its answer is params.test_result, against a fixed expectation
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  return {rl::test_result_str(params.test_result), params.stop_iteration, elapsed.count()};
}

}  // namespace stealbench::verify
