#include "verify/explore.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <map>
#include <memory>
#include <new>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

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

using thread_counts = std::pair<rl::thread_id_t, rl::thread_id_t>;
const std::map<thread_counts, decltype(&simulate<2>)> simulations{{{1, 1}, simulate<1, 1>},
                                                                  {{1, 2}, simulate<1, 2>},
                                                                  {{2, 0}, simulate<2>},
                                                                  {{3, 0}, simulate<3>},
                                                                  {{4, 0}, simulate<4>}};

// Takes what is before `mark` off the text, and the mark; all of it where there is none.
std::string_view take_until(std::string_view& text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  const std::string_view taken = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + mark.size());
  return taken;
}

template <class Number>
Number to_number(std::string_view digits) {
  Number number{};
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

// The value behind "name=", up to what follows it.
std::string_view field(std::string_view text, std::string_view name) {
  take_until(text, name);
  return text.substr(0, text.find_first_of(", "));
}

std::string changed(std::string_view now, std::string_view before) {
  return "= " + std::string(now) + " (was " + std::string(before) + ')';
}

std::string compared(std::string_view text) {
  const std::string_view before = field(text, "orig=");
  if (text.starts_with("succ")) return changed(field(text, "xchg="), before);
  return "= " + std::string(before) + ", expected " + std::string(field(text, "cmp=")) +
         (text.find("[SPURIOUSLY]") == std::string_view::npos ? ": fails" : ": fails, spuriously");
}

// What Relacy's events print (atomic_events.hpp, var.hpp, mutex.hpp, context.hpp), as a step. Of
// other events the text is the operation.
void put_event(std::string_view text, step& into) {
  std::string_view event = text;
  const std::string address(text.starts_with("<0x") ? take_until(event, ">").substr(1) : "");
  while (event.starts_with(' ')) event.remove_prefix(1);
  std::string_view operation = event;
  if (event.starts_with("atomic load")) {
    into.operation = "load";
    into.values = "= " + std::string(field(event, "value="));
    if (event.find("[NOT CURRENT]") != std::string_view::npos) into.values += ", an older value";
  } else if (event.starts_with("atomic store")) {
    into.operation = "store";
    std::string_view before = event;
    take_until(before, "(prev value=");
    into.values = changed(field(event, "value="), take_until(before, ")"));
  } else if (event.starts_with("CAS")) {
    into.operation = "compare_exchange";
    into.values = compared(event.substr(4));
  } else if (event.starts_with("exchange") || event.starts_with("fetch_")) {
    into.operation = take_until(operation, " ");
    into.values = changed(field(event, "new="), field(event, "prev="));
  } else if (event.starts_with("load") || event.starts_with("store")) {
    into.operation = event.starts_with("load") ? "read" : "write";
    into.values = "= " + std::string(field(event, "value="));
  } else if (event.starts_with("mutex: exclusive ")) {
    into.operation = event.substr(std::string_view("mutex: exclusive ").size());
  } else if (event.ends_with(" fence")) {
    into.operation = "fence";
    into.order = event.substr(0, event.rfind(' '));
    return;
  } else {
    into.operation = event;  // An address in it is none of a variable's.
    if (event.starts_with("blocking current thread")) into.operation = "sleeps";
    if (event.starts_with("unblocking thread ")) into.operation.replace(0, 10, "wakes");
    if (event.starts_with("yield(")) into.operation = "yields";
    return;
  }
  into.address = address;
  into.order = field(event, "order=");
}

// The parts of an execution that tell a reader something; the others are empty.
std::string_view in_words(std::string_view event) {
  if (event == "[BEFORE END]") return "all threads start";
  if (event == "[THREAD FINISHED]") return "ends";
  if (event == "[AFTER BEGIN]") return "all threads have ended";
  return "";
}

// "[12] 1: EVENT, in FUNCTION, FILE(34)", of which FUNCTION may have template arguments.
step to_step(std::string_view line) {
  step s;
  take_until(line, "] ");
  s.thread = to_number<int>(take_until(line, ": "));
  const std::size_t end = line.rfind(", in ");
  const std::string_view event = line.substr(0, end);
  line.remove_prefix(end + 5);
  const std::size_t comma = line.rfind(", ");
  s.function = line.substr(0, std::min(line.find('<'), comma));
  line.remove_prefix(comma + 2);
  const std::size_t bracket = line.rfind('(');
  s.file = line.substr(0, bracket);
  s.line = to_number<unsigned>(line.substr(bracket + 1));
  put_event(event, s);
  if (event.starts_with('[')) s = {.thread = s.thread, .operation = std::string(in_words(event))};
  return s;
}

// Relacy's history, whose last event is the failure: "DATA RACE (data race detected)".
failure to_failure(std::string_view outcome, std::string trace) {
  failure failed;
  std::string_view rest = trace;
  take_until(rest, "execution history (");
  take_until(rest, "\n");
  while (rest.starts_with('[')) {
    step s = to_step(take_until(rest, "\n"));
    if (s.operation.starts_with(outcome)) {
      std::string_view claim = s.operation;
      take_until(claim, " (");
      failed.claim = claim.substr(0, claim.rfind(')'));
      failed.at = std::move(s);
    } else if (!s.operation.empty()) {
      failed.steps.push_back(std::move(s));
    }
  }
  failed.trace = std::move(trace);
  return failed;
}

}  // namespace

verdict explore(const suite_steps& suite, const search& s) {
  std::ostream nowhere(nullptr);
  rl::ostringstream trace;  // It does not allocate by operator new, which is Relacy's.
  rl::test_params params;
  params.output_stream = &trace;
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
  const std::unique_ptr<void, decltype(&std::free)> place(
      std::aligned_alloc(suite.alignment, suite.bytes), &std::free);
  if (!place) throw std::bad_alloc();
  const auto begin = std::chrono::steady_clock::now();
  simulations.at({suite.threads, suite.started})(suite, place.get(), params);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  verdict result{rl::test_result_str(params.test_result), params.stop_iteration - s.first + 1,
                 elapsed.count()};
  if (result.outcome != passes) {
    const rl::string text = trace.str();
    result.failed = to_failure(result.outcome, std::string(text.begin(), text.end()));
  }
  return result;
}

}  // namespace stealbench::verify

int main(int argc, char** argv) {
  const auto [checks, matrices] = stealbench::verify::all_suites();
  return stealbench::verify::run_checks(argc, argv, checks, matrices);
}
