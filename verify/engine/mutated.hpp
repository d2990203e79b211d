// A machine whose engine can be weakened: one step of it, or one ordering of a lot where its
// workers sleep, is another than the one that ships.
#pragma once

#include <ostream>

#include "schedulers/engine/directed_lot.hpp"
#include "schedulers/engine/parking_lot.hpp"
#include "schedulers/engine/steps.hpp"
#include "verify/engine/playing.hpp"
#include "verify/mutation.hpp"

namespace stealbench::verify {

/// Read at run time by schedulers on a mutated machine.
inline engine::engine_steps weakened_steps;
inline engine::parking_lot_orderings weakened_lot;
inline engine::directed_lot_orderings weakened_directed_lot;

template <class M>
struct mutated : M {
  static constexpr const engine::engine_steps& steps = weakened_steps;
};
using asymmetric = mutated<relacy_machine>;
using symmetric = mutated<relacy_symmetric_machine>;

/// `Scheduler`, one on a mutated machine, runs a program.
template <class Scheduler, template <class> class Program, cast Cast = cast{}>
trial script(const char* name, search deep = bound(Cast.workers == 2 ? 2 : 1)) {
  return {name, static_cast<int>(Cast.workers), deep, [](const search& s, std::ostream& log) {
            return explore<playing<Scheduler, Program<typename Scheduler::machine>, Cast>>(s, log);
          }};
}

}  // namespace stealbench::verify

namespace stealbench::engine {

template <class M>
inline constexpr const parking_lot_orderings& parking_lot_orderings_on<verify::mutated<M>> =
    verify::weakened_lot;
template <class M>
inline constexpr const directed_lot_orderings& directed_lot_orderings_on<verify::mutated<M>> =
    verify::weakened_directed_lot;

}  // namespace stealbench::engine
