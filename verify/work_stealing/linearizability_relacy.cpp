// Histories of the deques under Relacy, judged against a sequential deque: another checker than the
// invariants of deque_script.hpp, and one that knows nothing of jobs and payloads.
#include <array>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "schedulers/work_stealing/asymmetric_deque.hpp"
#include "schedulers/work_stealing/chase_lev_deque.hpp"
#include "schedulers/work_stealing/locked_deque.hpp"
#include "verify/explore.hpp"
#include "verify/linearizability.hpp"
#include "verify/work_stealing/deque_script.hpp"

namespace stealbench::verify {
namespace {

// The scripts are those of deque_script.hpp. Relacy runs one thread at a time, so a plain counter
// is a clock that orders nothing in the model.
template <rl::thread_id_t Thieves, template <class> class Deque>
class history_suite : public rl::test_suite<history_suite<Thieves, Deque>, Thieves + 1> {
 public:
  void before() {
    deque_.emplace(script_.capacity, script_.max_capacity);
    play(script_.before);
  }

  void thread(unsigned who) {
    if (who == 0) return play(script_.owner);
    for (int i = 0; i < script_.steals; ++i) steal();
  }

  void after() {
    expect(linearizable({history_.data(), events_}), "a sequential deque could have answered so");
  }

 private:
  static constexpr std::size_t most_events = 16;

  void play(const char* script) {
    for (; *script != '\0'; ++script) {
      if (*script == '+') push();
      if (*script == '-') pop();
      if (*script == 's') steal();
    }
  }

  void push() {
    const std::uint64_t begin = ++clock_;
    const std::size_t job = pushed_++;
    expect(deque_->push(&jobs_[job]), "there is room");
    keep({event::kind::push, job, begin, 0});
  }
  void pop() {
    const std::uint64_t begin = ++clock_;
    keep({event::kind::pop, id(deque_->pop()), begin, 0});
  }
  void steal() {
    const std::uint64_t begin = ++clock_;
    keep({event::kind::steal, id(deque_->steal().job), begin, 0});
  }

  [[nodiscard]] std::optional<std::size_t> id(const int* job) const {
    if (job == nullptr) return std::nullopt;
    return static_cast<std::size_t>(job - jobs_.data());
  }
  void keep(event e) {
    e.end = ++clock_;
    history_[events_++] = e;
  }

  const deque_script& script_ = *deque_script_now;
  boxed<Deque<int*>> deque_;
  std::array<int, most_events> jobs_{};
  std::size_t pushed_ = 0;
  std::array<event, most_events> history_{};
  std::size_t events_ = 0;
  std::uint64_t clock_ = 0;
};

template <template <class> class Deque>
verdict play_history(const deque_script& script, int thieves, const search& s, std::ostream& log) {
  deque_script_now = &script;
  if (thieves == 1) return explore<history_suite<1, Deque>>(s, log);
  return explore<history_suite<2, Deque>>(s, log);
}

struct scenario {
  const char* name;
  const char* sentence;
  int thieves;
  deque_script script;
  search deep;
};

std::vector<scenario> scenarios() {
  return {
      {"two_jobs", "Pops and steals close in on each other.", 1, {2, 2, "++", "--", 2}, bound(3)},
      {"growth", "A buffer of 1 grows under a thief.", 1, {1, 4, "+", "+-+-", 2}, bound(3)},
      {"two_thieves", "Two jobs, and three who want them.", 2, {2, 2, "", "++--", 1}, bound(2)},
  };
}

template <class T>
using chase_lev = work_stealing::chase_lev_deque<T, relacy_model>;
template <class T>
using asymmetric = work_stealing::asymmetric_deque<T, relacy_model>;
template <class T>
using locked = work_stealing::locked_deque<T, relacy_model>;

constexpr work_stealing::chase_lev_orderings unfenced{.pop_fence = engine::order::none};
template <class T>
using without_fence = work_stealing::chase_lev_deque<T, relacy_model, unfenced>;

template <template <class> class Deque>
void add(std::vector<check>& to, const std::string& name) {
  for (const scenario& of : scenarios()) {
    to.push_back({name + '/' + of.name,
                  of.sentence,
                  {of.deep, random(100'000)},
                  [of](const search& s, std::ostream& log) {
                    return play_history<Deque>(of.script, of.thieves, s, log);
                  }});
  }
}

std::vector<check> checks() {
  std::vector<check> all;
  add<chase_lev>(all, "chase_lev");
  add<asymmetric>(all, "asymmetric");
  add<locked>(all, "locked");
  all.push_back({"twins/unfenced",
                 "A pop without its fence takes a job that is stolen as well.",
                 {bound(3), random(100'000)},
                 [](const search& s, std::ostream& log) {
                   return play_history<without_fence>({2, 2, "++", "--", 2}, 1, s, log);
                 },
                 {"USER ASSERT FAILED"}});
  return all;
}

}  // namespace
}  // namespace stealbench::verify

int main(int argc, char** argv) {
  return stealbench::verify::run_checks(argc, argv, stealbench::verify::checks());
}
