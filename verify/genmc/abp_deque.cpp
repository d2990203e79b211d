// The ABP deque under GenMC: deque.hpp.
#include "schedulers/work_stealing/protocols/abp_deque.hpp"

#include "verify/genmc/deque.hpp"

namespace stealbench::verify {
namespace {
constexpr work_stealing::abp_orderings orderings = mutant_of(work_stealing::abp_shipped);
}
}  // namespace stealbench::verify

int main() {
  using namespace stealbench;
  verify::play_all<work_stealing::abp_deque<verify::job*, verify::model, verify::orderings>>();
}
