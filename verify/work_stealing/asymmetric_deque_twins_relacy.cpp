// Twins of the asymmetric deque, each with one ordering weakened, as
// chase_lev_deque_twins_relacy.cpp has them: those that must be caught, with either pair of fences,
// and those that survive, and why.
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "schedulers/work_stealing/asymmetric_deque.hpp"
#include "verify/work_stealing/deque_script.hpp"

namespace stealbench::verify {
namespace {

using engine::order;
using work_stealing::chase_lev_orderings;
using ordering = order chase_lev_orderings::*;

// Not constant: the deque reads its orderings from here at run time, so a twin needs no code.
chase_lev_orderings weakened;
template <class T>
using asymmetric = work_stealing::asymmetric_deque<T, relacy_model, weakened>;
template <class T>
using symmetric = work_stealing::asymmetric_deque<T, relacy_symmetric_model, weakened>;

template <template <class> class Deque>
check twin(std::string name, const char* sentence, ordering which, order weak,
           const deque_script& script, int thieves) {
  return {std::move(name),
          sentence,
          {bound(3), random(100'000)},
          [=](const search& s, std::ostream& log) {
            weakened = work_stealing::asymmetric_shipped;
            weakened.*which = weak;
            return play<Deque>(script, thieves, s, log);
          },
          {}};
}

struct weakening {
  std::string name;
  const char* sentence;
  ordering which;
  order weak;
  deque_script script;
  int thieves = 1;
};

// The thief's first look must see a job, or it has no second; and that job must be gone by then, as
// its push lies before the fence of the steal, which orders it without E1's help.
constexpr deque_script another_job{2, 2, "+", "-+", 1};
constexpr deque_script one_pop{2, 2, "++", "-", 2};
constexpr deque_script growth{1, 2, "+", "+-", 2};
constexpr deque_script everything{1, 4, "+s", "++-+--", 3};
constexpr deque_script two_thieves{2, 2, "", "++--", 1};

std::vector<weakening> caught_by_both() {
  using o = chase_lev_orderings;
  return {
      {"push_bottom_relaxed", "E1: a job is taken before its payload is written.", &o::push_bottom,
       order::relaxed, another_job},
      {"steal_bottom_relaxed", "E1, the thief's end: it reads the job before bottom.",
       &o::steal_bottom, order::relaxed, another_job},
      {"heavy_fence_dropped", "E2: a thief reads top late and an old bottom.", &o::steal_fence,
       order::none, one_pop},
      {"heavy_fence_acq_rel", "E2: orders the thief's loads, but not with the owner's.",
       &o::steal_fence, order::acq_rel, one_pop},
      {"heavy_fence_dropped_two_thieves", "E2, with thieves who race each other too.",
       &o::steal_fence, order::none, two_thieves, 2},
      {"heavy_fence_acq_rel_two_thieves", "E2, with thieves who race each other too.",
       &o::steal_fence, order::acq_rel, two_thieves, 2},
      {"grow_buffer_relaxed", "E4: a thief reads the new buffer before it is filled.",
       &o::grow_buffer, order::relaxed, growth},
      {"steal_buffer_relaxed", "E4, the thief's end.", &o::steal_buffer, order::relaxed, growth},
  };
}

// Where the light fence is free, Relacy has nothing to leave out.
std::vector<weakening> caught_by_symmetric() {
  using o = chase_lev_orderings;
  return {
      {"light_fence_dropped", "E2: the owner reads an old top, a thief an old bottom.",
       &o::pop_fence, order::none, one_pop},
      {"light_fence_acq_rel", "E2: no order of a store before a later load.", &o::pop_fence,
       order::acq_rel, one_pop},
      {"light_fence_dropped_two_thieves", "E2, with thieves who race each other too.",
       &o::pop_fence, order::none, two_thieves, 2},
  };
}

// With the system-wide fence; with two seq_cst fences these are those of the Chase–Lev deque.
std::vector<weakening> survivors() {
  using o = chase_lev_orderings;
  return {
      {"survives/push_top_relaxed",
       "E3. Needs the thief's load of a slot to move below its exchange, or the owner's store "
       "above its load: Relacy never does that (litmus load_buffering).",
       &o::push_top, order::relaxed, everything},
      {"survives/steal_cas_relaxed",
       "E3, the thief's end, for the same reason. E2 does not need it: between a light and a heavy "
       "fence the coherence of top suffices.",
       &o::steal_cas, order::relaxed, two_thieves, 2},
      {"survives/pop_cas_relaxed",
       "Continues the thieves' release sequence, being a read-modify-write, and reads the owner's "
       "own slot: relaxed suffices. Shipped as in the paper.",
       &o::pop_cas, order::relaxed, everything},
      {"survives/pop_bottom_relaxed",
       "E1. Needs C++20's shorter release sequence: Relacy keeps that of C++11, which a plain "
       "store "
       "by the same thread continues (litmus release_sequence).",
       &o::pop_bottom, order::relaxed, everything},
      {"survives/pop_bottom_restore_relaxed", "E1. As pop_bottom_relaxed.", &o::pop_bottom_restore,
       order::relaxed, everything},
      {"survives/steal_top_relaxed",
       "The heavy fence behind it makes it an acquire: relaxed suffices. Shipped as in the paper.",
       &o::steal_top, order::relaxed, everything},
      {"survives/hint_top_relaxed",
       "The first look only decides whether to steal; no job is read through it.", &o::hint_top,
       order::relaxed, everything},
  };
}

std::vector<check> twins() {
  std::vector<check> all;
  const auto expected = [&](std::vector<std::string> outcomes, check c) {
    c.expected = std::move(outcomes);
    all.push_back(std::move(c));
  };
  const std::vector<std::string> fails = {"DATA RACE", "USER ASSERT FAILED"};
  const std::vector<std::string> survives = {std::string(passes)};
  const auto in_asymmetric = [](const weakening& w) {
    return twin<asymmetric>(w.name, w.sentence, w.which, w.weak, w.script, w.thieves);
  };
  const auto in_symmetric = [](const weakening& w) {
    return twin<symmetric>(w.name + "_symmetric", w.sentence, w.which, w.weak, w.script, w.thieves);
  };
  for (const weakening& w : caught_by_both()) {
    expected(fails, in_asymmetric(w));
    expected(fails, in_symmetric(w));
  }
  for (const weakening& w : caught_by_symmetric()) expected(fails, in_symmetric(w));
  for (const weakening& w : survivors()) expected(survives, in_asymmetric(w));
  all.push_back(sleeper<relacy_model, asymmetric, false>("sleeper_unfenced", "K1: too early."));
  return all;
}

}  // namespace
}  // namespace stealbench::verify

int main(int argc, char** argv) {
  return stealbench::verify::run_checks(argc, argv, stealbench::verify::twins());
}
