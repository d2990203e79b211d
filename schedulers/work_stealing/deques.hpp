// What the setting `deque` of work stealing chooses from, in types and in words.
#pragma once

#include <string_view>

#include "schedulers/description.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/work_stealing/deque_queue.hpp"
#include "schedulers/work_stealing/private_queue.hpp"
#include "schedulers/work_stealing/protocols/abp_deque.hpp"
#include "schedulers/work_stealing/protocols/bwos_deque.hpp"
#include "schedulers/work_stealing/protocols/chase_lev_deque.hpp"
#include "schedulers/work_stealing/protocols/locked_deque.hpp"
#include "schedulers/work_stealing/split_queue.hpp"

/// Each has a name, describes itself, and gives the queue of one worker; `deque<T, M>`, where it is
/// one of pointers (protocols/deque.hpp).
namespace stealbench::work_stealing::deques {

/// Of pointers, so that a job can be in the deque of another worker than its owner.
template <class Choice>
concept ring = requires {
  typename Choice::template deque<int*>;
};

struct split {
  static constexpr std::string_view name = "split";
  static schedulers::description describe() {
    return {.summary = "the job stack itself, split into a public and a private part",
            .paper = "Faxén 2010; van Dijk & van de Pol 2014"};
  }
  template <class Slot>
  using queue = split_queue<Slot>;
};

struct chase_lev {
  static constexpr std::string_view name = "chase-lev";
  static schedulers::description describe() {
    return {.summary = "a ring of pointers that grows; a fence in each pop",
            .paper = "Chase & Lev 2005; Lê, Pop, Cohen & Zappa Nardelli 2013"};
  }
  template <class T, class M = engine::std_machine>
  using deque = chase_lev_deque<T, M>;
  template <class Slot>
  using queue = deque_queue<Slot, deque>;
};

struct abp {
  static constexpr std::string_view name = "abp";
  static schedulers::description describe() {
    return {.summary = "a bounded array whose indices start over, with a tag; a fence in each pop",
            .paper = "Arora, Blumofe & Plaxton 1998",
            .bound = "O(T1/P_A + T∞ P/P_A) expected, with their loop"};
  }
  template <class T, class M = engine::std_machine>
  using deque = abp_deque<T, M>;
  template <class Slot>
  using queue = deque_queue<Slot, deque>;
};

struct bwos {
  static constexpr std::string_view name = "bwos";
  static schedulers::description describe() {
    return {.summary = "blocks, of which the owner has one for itself; no fence within it",
            .paper = "Wang et al. 2023"};
  }
  template <class T, class M = engine::std_machine>
  using deque = bwos_deque<T, M>;
  template <class Slot>
  using queue = deque_queue<Slot, deque>;
};

struct locked {
  static constexpr std::string_view name = "locked";
  static schedulers::description describe() {
    return {.summary = "a ring under a mutex, the baseline"};
  }
  template <class T, class M = engine::std_machine>
  using deque = locked_deque<T, M>;
  template <class Slot>
  using queue = deque_queue<Slot, deque>;
};

// `private` is a keyword of C++. NOLINTNEXTLINE(readability-identifier-naming)
struct private_ {
  static constexpr std::string_view name = "private";
  static schedulers::description describe() {
    return {.summary = "the job stack, its owner's alone: a thief asks for a job and is given it",
            .paper = "Acar, Charguéraud & Rainey 2013, receiver-initiated",
            .bound = "T1/P + O(T∞) expected, beside terms of the branching depth"};
  }
  template <class Slot>
  using queue = private_queue<Slot>;
};

}  // namespace stealbench::work_stealing::deques
