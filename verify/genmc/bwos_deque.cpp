// The block-based deque under GenMC: deque.hpp.
#include "schedulers/work_stealing/protocols/bwos_deque.hpp"

#include "verify/genmc/deque.hpp"

namespace stealbench::verify {
namespace {
constexpr work_stealing::bwos_orderings orderings = mutant_of(work_stealing::bwos_shipped);
}
}  // namespace stealbench::verify

int main() {
  using namespace stealbench;
  verify::play_all<work_stealing::bwos_deque<verify::job*, verify::model, verify::orderings>>();
}
