// Histories of the deques under Relacy, judged against a sequential deque: another checker than the
// invariants of deque_script.hpp and stack_deque_script.hpp, and one that knows nothing of
// payloads.
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schedulers/work_stealing/protocols/abp_deque.hpp"
#include "schedulers/work_stealing/protocols/chase_lev_deque.hpp"
#include "schedulers/work_stealing/protocols/locked_deque.hpp"
#include "verify/explore.hpp"
#include "verify/linearizability.hpp"
#include "verify/work_stealing/recorded_deques.hpp"

namespace stealbench::verify {
namespace {

/// The acts of each thread, as recorded_deques.hpp spells them.
struct history_script {
  std::size_t capacity;
  std::size_t max_capacity;
  const char* before;  ///< The owner's, before the thieves start.
  const char* owner;
  std::array<const char*, 2> thieves;
};

/// What the suites of this executable play. Relacy makes a suite by its default constructor.
const history_script* script_now = nullptr;

// Relacy runs one thread at a time, so a plain counter is a clock that orders nothing in the model.
template <rl::thread_id_t Thieves, class Recorded>
class history_suite : public rl::test_suite<history_suite<Thieves, Recorded>, Thieves + 1> {
 public:
  void before() {
    deque_.emplace(script_.capacity, script_.max_capacity);
    play(0, script_.before);
  }

  void thread(unsigned who) { play(who, who == 0 ? script_.owner : script_.thieves[who - 1]); }

  void after() {
    expect(linearizable(history_.events()), "a sequential deque could have answered so");
  }

 private:
  void play(unsigned who, const char* script) {
    for (; *script != '\0'; ++script) {
      expect(deque_->play(*script, static_cast<std::uint16_t>(who), history_), "there is room");
    }
  }

  const history_script& script_ = *script_now;
  std::optional<Recorded> deque_;
  std::uint64_t clock_ = 0;
  recording<std::uint64_t> history_{clock_};
};

/// Plays `script` with as many thieves as have one.
template <class Recorded>
verdict play_history(const history_script& script, const search& s) {
  script_now = &script;
  if (script.thieves[1] == nullptr) return explore<history_suite<1, Recorded>>(s);
  return explore<history_suite<2, Recorded>>(s);
}

struct scenario {
  scenario(std::string word, const char* claim, const history_script& acts, search how)
      : name(std::move(word)), sentence(claim), script(acts), deep(how) {}
  std::string name;
  const char* sentence;
  history_script script;
  search deep;
};

std::vector<scenario> of_rings() {
  return {scenario("two_jobs", "Pops and steals close in on each other.",
                   {2, 2, "++", "--", {"ss"}}, bound(3)),
          scenario("growth", "A buffer of 1 grows under a thief.", {1, 4, "+", "+-+-", {"ss"}},
                   bound(3)),
          scenario("two_thieves", "Two jobs, and three who want them.",
                   {2, 2, "", "++--", {"s", "s"}}, bound(2))};
}

std::vector<scenario> of_split() {
  return {scenario("share", "Jobs become public, are stolen and taken back.",
                   {3, 3, "+++", "S-S--", {"ss"}}, full),
          scenario("force", "A thief forces the border over jobs as they are taken back.",
                   {2, 2, "++", "--", {"fs"}}, full),
          scenario("reuse", "The owner works above a stolen slot, then anew in it.",
                   {3, 3, "+", "-+--+-", {"ff"}}, bound(5)),
          scenario("two_thieves_force", "Two thieves force the same border.",
                   {2, 2, "++", "--", {"f", "f"}}, bound(4)),
          scenario("two_thieves", "Sharing, forcing, stealing and reuse in one script.",
                   {3, 3, "++", "S-+--", {"fs", "sf"}}, bound(3))};
}

using chase_lev = recorded_ring_deque<work_stealing::chase_lev_deque<int*, relacy_machine>>;
using locked = recorded_ring_deque<work_stealing::locked_deque<int*, relacy_machine>>;
using abp = recorded_ring_deque<work_stealing::abp_deque<int*, relacy_machine>>;
using split = recorded_split_deque<relacy_machine, 3>;

constexpr work_stealing::chase_lev_orderings no_pop_fence{.pop_fence = engine::order::none};
using unfenced =
    recorded_ring_deque<work_stealing::chase_lev_deque<int*, relacy_machine, no_pop_fence>>;
constexpr work_stealing::split_orderings no_force_fence{.force_fence = false};
using unfenced_split = recorded_split_deque<relacy_machine, 3, no_force_fence>;

template <class Recorded>
check history(const scenario& each, std::string_view outcome = passes) {
  return {each.name,
          each.sentence,
          {each.deep, random(100'000)},
          [script = each.script](const search& s) { return play_history<Recorded>(script, s); },
          std::string(outcome)};
}

template <class Recorded>
void add(std::vector<check>& to, const std::string& name, const std::vector<scenario>& scenarios) {
  for (scenario each : scenarios) {
    each.name = name + '/' + each.name;
    to.push_back(history<Recorded>(each));
  }
}

std::vector<check> checks() {
  std::vector<check> all;
  add<chase_lev>(all, "chase_lev", of_rings());
  add<locked>(all, "locked", of_rings());
  add<abp>(all, "abp", of_rings());
  add<split>(all, "split", of_split());
  const std::string_view caught = "USER ASSERT FAILED";
  all.push_back(history<unfenced>(
      scenario("negative/unfenced", "A pop without its fence takes a job that is stolen as well.",
               {2, 2, "++", "--", {"ss"}}, bound(3)),
      caught));
  all.push_back(history<unfenced_split>(
      scenario("negative/unfenced_split",
               "A force without its fence takes a job that is taken back as well.",
               {2, 2, "++", "--", {"fs"}}, bound(3)),
      caught));
  return all;
}

}  // namespace

suites all_suites() { return {checks()}; }

}  // namespace stealbench::verify
