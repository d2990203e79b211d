// The atomic operations of the Chase–Lev deque, for its matrix and for the asymmetric deque's.
#pragma once

#include <vector>

#include "schedulers/work_stealing/protocols/chase_lev_deque.hpp"
#include "verify/mutation.hpp"

namespace stealbench::verify {

[[nodiscard]] inline std::vector<site_of<work_stealing::chase_lev_orderings>> chase_lev_sites() {
  using o = work_stealing::chase_lev_orderings;
  using enum operation;
  return {
      {"push_bottom_load", &o::push_bottom_load, load, "the owner's own word"},
      {"push_slot", &o::push_slot, store, "published by push_bottom"},
      {"push_bottom", &o::push_bottom, store, "E1: steal_bottom"},
      {"push_top", &o::push_top, load, "E3: steal_cas"},
      {"grow_read", &o::grow_read, load, "the owner's own writes"},
      {"grow_write", &o::grow_write, store, "published by grow_buffer"},
      {"grow_buffer", &o::grow_buffer, store, "E4: steal_buffer"},
      {"pop_bottom_load", &o::pop_bottom_load, load, "the owner's own word"},
      {"pop_bottom", &o::pop_bottom, store, "E1: steal_bottom"},
      {"pop_fence", &o::pop_fence, fence, "E2: steal_fence"},
      {"pop_top", &o::pop_top, load, "ordered by pop_fence"},
      {"pop_slot", &o::pop_slot, load, "the owner's own write"},
      {"pop_cas", &o::pop_cas, read_modify_write, "E2: steal_cas"},
      {"pop_cas_failure", &o::pop_cas_failure, load, "nothing is read after it"},
      {"pop_bottom_restore", &o::pop_bottom_restore, store, "E1: steal_bottom"},
      {"steal_top", &o::steal_top, load, "E2: read before steal_fence"},
      {"steal_fence", &o::steal_fence, fence, "E2: pop_fence"},
      {"steal_bottom", &o::steal_bottom, load, "E1: push_bottom"},
      {"steal_buffer", &o::steal_buffer, load, "E4: grow_buffer"},
      {"steal_slot", &o::steal_slot, load, "ordered by E1 or E4, validated by steal_cas"},
      {"steal_cas", &o::steal_cas, read_modify_write, "E2: pop_cas; E3: push_top"},
      {"steal_cas_failure", &o::steal_cas_failure, load, "what was read is dropped"},
      {"hint_top", &o::hint_top, load, "no job is read through it"},
      {"hint_bottom", &o::hint_bottom, load, "no job is read through it"},
  };
}

// Why a mutant of both deques survives.
inline constexpr const char* push_top_by_control =
    "Needs the owner's store to a slot above its load of top: `litmus/LB`. A control dependency "
    "forbids that to a machine (make_room decides by that load whether there is a slot), and so "
    "does IMM; RC11 knows no load buffering. C++20 alone has no such dependency and wants the "
    "acquire.";
inline constexpr const char* restored_bottom_is_of_no_use =
    "When it is stored, the owner has read that top has reached this value. A thief that goes on "
    "with it has an older top and fails its exchange, unless that exchange is what the owner has "
    "read: then either would happen only because of the other, a value out of thin air. Shipped as "
    "release since nothing in C++20 but a recommendation forbids that: on x86 it costs nothing.";

/// The survivors of both deques, with reasons that are the deque's own.
[[nodiscard]] inline std::vector<matrix::survivor> chase_lev_survivors(const char* steal_cas_in_e2,
                                                                       const char* pop_cas,
                                                                       const char* steal_top) {
  using enum justification;
  const char* const end_of_push_top = "E3, the thief's end of push_top: `litmus/LB`.";
  return {
      {"push_top", "*", argued, push_top_by_control},
      {"steal_cas", "acq_rel", equivalent, steal_cas_in_e2},
      {"steal_cas", "release", equivalent, steal_cas_in_e2},
      {"steal_cas", "acquire", invisible, end_of_push_top},
      {"steal_cas", "relaxed", invisible, end_of_push_top},
      {"pop_cas", "*", equivalent, pop_cas},
      {"pop_bottom", "*", invisible,
       "Needs C++20's shorter release sequence: `litmus/release_sequence`."},
      {"pop_bottom_restore", "*", equivalent, restored_bottom_is_of_no_use},
      {"steal_top", "*", equivalent, steal_top},
  };
}

}  // namespace stealbench::verify
