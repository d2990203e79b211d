// The parker under GenMC. Scripts and invariants are those of engine/sleep_relacy.cpp.
// -DSCRIPT=name.
#include "schedulers/engine/sleep/parker.hpp"

#include "verify/genmc/genmc_model.hpp"

namespace stealbench::verify {
namespace {

using model = genmc_model<true>;
constexpr engine::parker_orderings orderings = mutant_of(engine::parker_shipped);

late<engine::parker<model, orderings>> sleeper;
model::plain<int> data;
model::atomic<int> flags[2];

void hand_over() {
  data.write(1);
  sleeper->unpark();
}
[[maybe_unused]] [[gnu::always_inline]] inline void handover() {
  const long waker = start<hand_over>();
  sleeper->park();
  expect(data.read() == 1, "park() returns for the token alone");
  join(waker);
}

// The flags are relaxed: the token alone orders them.
template <int Who>
void raise() {
  flags[Who].store(1, order::relaxed);
  sleeper->unpark();
}
[[maybe_unused]] [[gnu::always_inline]] inline void two_wakers() {
  const long first = start<raise<0>>();
  const long second = start<raise<1>>();
  while (flags[0].load(order::relaxed) == 0 || flags[1].load(order::relaxed) == 0) sleeper->park();
  join(first);
  join(second);
}

}  // namespace
}  // namespace stealbench::verify

int main() {
  stealbench::verify::sleeper.make();
#ifdef SCRIPT
  stealbench::verify::SCRIPT();
#endif
}
