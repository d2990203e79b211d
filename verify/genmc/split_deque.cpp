// The split deque under GenMC: stack_deque.hpp. -DSCRIPT=name.
#include "schedulers/work_stealing/protocols/split_deque.hpp"

#include <cstddef>
#include <cstdint>

#include "verify/genmc/stack_deque.hpp"

#ifndef SCRIPT
#define SCRIPT share
#endif

namespace stealbench::verify {
namespace {

using work_stealing::portion;
using work_stealing::steal_outcome;

constexpr work_stealing::split_orderings orderings = mutant_of(work_stealing::split_shipped);

// 'm' steals, and again if the victim seems to have more: the choice `last` of victims.hpp. The
// rest is in scripts.hpp.
struct played {
  using deque = work_stealing::split_deque<slot, model, orderings>;
  static constexpr bool thieves_decline = true;

  template <char Act>
  [[gnu::always_inline]] static void owner_does(deque& own, slot& topmost, const slot& eldest) {
    if constexpr (Act == 'S') own.expose(topmost);
    if constexpr (Act == 'A') own.expose(topmost, portion::all);
    if constexpr (Act == 'O') own.expose(topmost, portion::oldest);
    if constexpr (Act == 'F') own.expose(topmost, portion::half_or_few);
    if constexpr (Act == 'R') own.expose_rest(topmost, eldest);
  }

  template <char Act, std::size_t Who>
  [[gnu::always_inline]] static slot* thief_does(deque& victim) {
    if constexpr (Act == 'm') {
      if (victim.public_hint() == 0) return nullptr;
    }
    const auto [outcome, taken] =
        Act == 'f' ? victim.force(static_cast<std::uint16_t>(Who + 1)) : victim.steal();
    expect((outcome == steal_outcome::taken) == (taken != nullptr), "taken: a job");
    return taken;
  }
};

}  // namespace

namespace scripts {
using namespace split_trials;
// The portions that the options `expose` and a group's children ask for, as thieves take what they
// get: two that steal, or one that forces.
inline constexpr stack_script share_half{2, "++", "S--", {"sm"}};
inline constexpr stack_script share_all{2, "+A", "+A--", {"sm"}};
inline constexpr stack_script share_oldest{2, "++O", "O--", {"sm"}};
inline constexpr stack_script share_few{2, "++", "F--", {"s", "s"}};
inline constexpr stack_script share_rest{3, "++S+", "R---", {"sm"}};
inline constexpr stack_script share_rest_two_thieves{3, "++S+", "R---", {"s", "s"}};
inline constexpr stack_script share_rest_meets_force{3, "+++", "R---", {"fs"}};
inline constexpr stack_script share_rest_above_stolen{3, "+S", "w", {"s", "s"}, "++R--"};
inline constexpr stack_script force_meets_share{2, "++", "S--", {"fs"}};
inline constexpr stack_script two_thieves_force{2, "++", "--", {"f", "f"}};
}  // namespace scripts

namespace {

[[maybe_unused]] constexpr stack_script script_of(const split_trial& trial) { return trial.script; }
[[maybe_unused]] constexpr stack_script script_of(const stack_script& script) { return script; }
constexpr stack_script script = script_of(scripts::SCRIPT);

}  // namespace
}  // namespace stealbench::verify

int main() {
  using namespace stealbench::verify;
  play_all<played, script>();
}
