// A machine whose engine can be weakened: one step of it, or one ordering of a lot where its
// workers sleep, is another than the one that ships.
#pragma once

#include <utility>
#include <vector>

#include "schedulers/engine/sleep/directed_lot.hpp"
#include "schedulers/engine/sleep/parking_lot.hpp"
#include "schedulers/engine/steps.hpp"
#include "verify/engine/playing.hpp"
#include "verify/mutation.hpp"

namespace stealbench::verify {

template <class M>
struct mutated : M {};
using asymmetric = mutated<relacy_machine>;
using symmetric = mutated<relacy_symmetric_machine>;

/// The matrix of what both engines share, under the programs of one of them.
inline matrix matrix_of_search(const char* name, std::vector<trial> trials) {
  using o = engine::search_steps;
  using enum operation;
  return matrix_of<o>(name, "schedulers/engine/steps.hpp", engine::all_search_steps,
                      {
                          {"offer_before_wake", &o::offer_before_wake, step, "second_look"},
                          {"wake_idle", &o::wake_idle, step, "second_look"},
                          {"second_look", &o::second_look, step, "offer_before_wake, wake_idle"},
                          {"look_after_wake", &o::look_after_wake, step, "wake_idle"},
                          {"stop_search", &o::stop_search, step, "wake_idle"},
                          {"hand_over_behind_wait", &o::hand_over_behind_wait, step, "wake_idle"},
                          {"stop_before_tokens", &o::stop_before_tokens, step, "wake_at_stop"},
                          {"wake_at_stop", &o::wake_at_stop, step, "stop_before_tokens"},
                          {"wake_all_at_stop", &o::wake_all_at_stop, step, "stop_before_tokens"},
                      },
                      std::move(trials));
}

/// `Scheduler`, one on a mutated machine, runs a program.
template <class Scheduler, template <class> class Program, cast Cast = cast{}>
trial script(const char* name, search deep = bound(Cast.workers == 2 ? 2 : 1)) {
  return trial_of<playing<Scheduler, Program, Cast>>(name, deep);
}

}  // namespace stealbench::verify

namespace stealbench::engine {

template <class M>
inline constexpr const search_steps& search_steps_on<verify::mutated<M>> =
    verify::weakened<search_steps>;
template <class M>
inline constexpr const engine_steps& steps_on<verify::mutated<M>> = verify::weakened<engine_steps>;
template <class M>
inline constexpr const parking_lot_orderings& parking_lot_orderings_on<verify::mutated<M>> =
    verify::weakened<parking_lot_orderings>;
template <class M>
inline constexpr const directed_lot_orderings& directed_lot_orderings_on<verify::mutated<M>> =
    verify::weakened<directed_lot_orderings>;

}  // namespace stealbench::engine
