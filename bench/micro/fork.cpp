#include "bench/micro/fork.hpp"

#include "bench/micro/topics.hpp"
#include "schedulers/serial/scheduler.hpp"

namespace stealbench::costs::micro {

void add_fork() {
  for_each_deque([]<class Scheduler>(const std::string& name) {
    add_fork_on<Scheduler>(name, 1);
    add_fork_on<Scheduler>(name, 2);
  });
  add_fork_on<serial::scheduler>("serial-scheduler", 1);
  add("fork/plain-two-calls", [](benchmark::State& state) {
    compare_with_plain_fib(state, 1,
                           [] { return plain_fib_of_two_calls(opaque_fib_index()) == fib_value; });
  });
}

}  // namespace stealbench::costs::micro
