// Thieves that take half of the victim's jobs, and others that take half of those from them, on
// Relacy's machine: none is lost, run twice, or left to a worker that does not come for it.
#include <string>
#include <utility>
#include <vector>

#include "schedulers/work_stealing/scheduler.hpp"
#include "verify/engine/meetings.hpp"
#include "verify/engine/playing.hpp"
#include "verify/engine/programs.hpp"
#include "verify/explore.hpp"

namespace stealbench::verify {
namespace {

template <template <class> class Program, class M = relacy_machine, unsigned Workers = 3>
check plays(std::string name, std::vector<search> searches) {
  using namespace work_stealing;
  using scheduler = over<deques::chase_lev>::scheduler_on<M>;
  constexpr cast halving{.workers = Workers, .amount = steal_amount::half};
  return verify::plays<scheduler, Program, halving>(std::move(name), std::move(searches));
}

}  // namespace

suites all_suites() {
  using namespace programs;
  return {{
      plays<fork_tree>("fork_tree", {bound(1), random(10'000)}),
      plays<six_children>("six_children", {bound(1), random(10'000)}),
      plays<meet_own_loot, relacy_machine, 2>("meet_own_loot", {bound(1), random(10'000)}),
      plays<loot_at_a_join>("loot_at_a_join", {bound(1), random(50'000)}),
      plays<meet_in_loot>("meet_in_loot", {random(50'000), deep(bound(1))}),
      plays<meet_in_loot, relacy_symmetric_machine>("meet_in_loot_symmetric", {random(150'000)}),
  }};
}

}  // namespace stealbench::verify
