// The private deque under GenMC: stack_deque.hpp. -DSCRIPT=name.
#include "schedulers/work_stealing/protocols/private_deque.hpp"

#include <cstddef>

#include "verify/genmc/stack_deque.hpp"

#ifndef SCRIPT
#define SCRIPT ask
#endif

namespace stealbench::verify {
namespace {

constexpr work_stealing::private_orderings orderings = mutant_of(work_stealing::private_shipped);

using deque_type = work_stealing::private_deque<slot, model, orderings>;
late<deque_type> silent;  // Of an owner that never answers.
late<deque_type::hand> hands[2];

struct played {
  using deque = deque_type;
  static constexpr bool thieves_decline = false;

  template <char Act>
  [[gnu::always_inline]] static void owner_does(deque& own, slot& topmost, const slot& /*eldest*/) {
    static_assert(Act == 'P');
    own.answer(topmost);
  }

  // Asks, looks once whether it was given a job, and withdraws.
  template <char Act, std::size_t Who>
  [[gnu::always_inline]] static slot* thief_does(deque& asked) {
    deque& victim = Act == 'v' ? *silent : asked;
    deque::hand& own = *hands[Who];
    if (!victim.ask(own)) return nullptr;
    if (slot* const given = deque::received(own)) return given;
    if (victim.withdraw(own)) return nullptr;
    slot* given = nullptr;
    spin_until([&] { return (given = deque::received(own)) != nullptr; });
    return given;
  }
};

}  // namespace

namespace scripts {
inline constexpr stack_script ask{1, "", "+P-", {"a"}};
inline constexpr stack_script ask_twice{2, "", "++PP--", {"aa"}};
inline constexpr stack_script ask_another{2, "", "++P--", {"va"}};
inline constexpr stack_script slot_reuse{1, "", "+P-+P-", {"aa"}};
inline constexpr stack_script two_thieves{2, "", "+P+P--", {"a", "a"}};
inline constexpr stack_script wait_and_give{2, "", "+Pw", {"aa"}, "+P-"};
}  // namespace scripts

}  // namespace stealbench::verify

int main() {
  using namespace stealbench::verify;
  silent.make(&*slots[0], &*slots[scripts::SCRIPT.slots]);
  hands[0].make(0U);
  hands[1].make(1U);
  play_all<played, scripts::SCRIPT>();
}
