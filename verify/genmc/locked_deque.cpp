// The locked deque under GenMC: deque.hpp.
#include "schedulers/work_stealing/protocols/locked_deque.hpp"

#include "verify/genmc/deque.hpp"

namespace stealbench::verify {
namespace {
constexpr work_stealing::locked_orderings orderings = mutant_of(work_stealing::locked_shipped);
}
}  // namespace stealbench::verify

int main() {
  using namespace stealbench;
  verify::play_all<work_stealing::locked_deque<verify::job*, verify::model, verify::orderings>>();
}
