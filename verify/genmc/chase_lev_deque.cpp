// The Chase–Lev deque under GenMC: deque.hpp.
#include "schedulers/work_stealing/protocols/chase_lev_deque.hpp"

#include "verify/genmc/deque.hpp"

namespace stealbench::verify {
namespace {
constexpr work_stealing::chase_lev_orderings orderings =
    mutant_of(work_stealing::chase_lev_shipped);
}
}  // namespace stealbench::verify

int main() {
  using namespace stealbench;
  verify::play_all<
      work_stealing::chase_lev_deque<verify::job*, verify::model, verify::orderings>>();
}
