#include "verify/explore.hpp"

#include <chrono>
#include <cstdlib>
#include <memory>
#include <new>
#include <ostream>
#include <stdexcept>
#include <string>

namespace stealbench::verify {
namespace {

/// The suite that Relacy sees: it passes every step on. Relacy constructs it anew for each
/// execution and passes nothing to its constructor, so what it passes the steps on to is static.
template <rl::thread_id_t Threads, rl::thread_id_t Started>
struct any_suite : rl::test_suite<any_suite<Threads, Started>, Threads> {
  static constexpr rl::thread_id_t dynamic_thread_count = Started;
  static inline const suite_steps* steps = nullptr;
  static inline void* suite = nullptr;

  any_suite() { steps->construct(suite); }
  any_suite(const any_suite&) = delete;
  any_suite& operator=(const any_suite&) = delete;
  ~any_suite() { steps->destroy(suite); }
  void before() { steps->before(suite); }
  void invariant() { steps->invariant(suite); }
  void thread(unsigned who) { steps->thread(suite, who); }
  void after() { steps->after(suite); }
};

template <rl::thread_id_t Threads, rl::thread_id_t Started = 0>
void simulate(const suite_steps& steps, void* place, rl::test_params& params) {
  any_suite<Threads, Started>::steps = &steps;
  any_suite<Threads, Started>::suite = place;
  // What fails is played once more, with its history, and test_result is of that: a failure that
  // does not come again is one of a suite that depends on more than Relacy's choices.
  const bool has_passed = rl::simulate<any_suite<Threads, Started>>(params);
  if (!has_passed && params.test_result == rl::test_result_success) {
    params.test_result = rl::test_result_inconsistent_test_suite;
  }
}

}  // namespace

verdict explore(const suite_steps& suite, const search& s, std::ostream& log) {
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
      params.iteration_count = s.first + s.limit - 1;
      if (s.first != 1) params.initial_state = std::to_string(s.first);
      break;
  }
  // Not from operator new, which is Relacy's.
  const std::unique_ptr<void, decltype(&std::free)> place(std::malloc(suite.bytes), &std::free);
  if (!place) throw std::bad_alloc();
  const auto begin = std::chrono::steady_clock::now();
  switch (suite.threads + 10 * suite.started) {
    case 11:
      simulate<1, 1>(suite, place.get(), params);
      break;
    case 21:
      simulate<1, 2>(suite, place.get(), params);
      break;
    case 2:
      simulate<2>(suite, place.get(), params);
      break;
    case 3:
      simulate<3>(suite, place.get(), params);
      break;
    case 4:
      simulate<4>(suite, place.get(), params);
      break;
    default:
      throw std::logic_error("a suite has 2, 3 or 4 threads, or one that starts 1 or 2");
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  return {rl::test_result_str(params.test_result), params.stop_iteration - s.first + 1,
          elapsed.count()};
}

}  // namespace stealbench::verify

int main(int argc, char** argv) {
  const auto [checks, matrices] = stealbench::verify::all_suites();
  return stealbench::verify::run_checks(argc, argv, checks, matrices);
}
