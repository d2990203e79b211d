// As fork.cpp, on oneTBB's parallel_invoke.
#include "bench/micro/fork.hpp"
#include "bench/micro/topics.hpp"
#include "schedulers/onetbb/scheduler.hpp"

namespace stealbench::bench::micro {

void add_fork_onetbb() {
  add_fork_on<onetbb::scheduler>("onetbb", 1);
  add_fork_on<onetbb::scheduler>("onetbb", 2);
}

}  // namespace stealbench::bench::micro
