// What can be measured: each function registers the benchmarks of one topic, and README.md says
// what they measure and how.
#pragma once

#include <chrono>

namespace stealbench::costs::micro {

void add_fork();
void add_integrate();
void add_spawn();
void add_steal();
void add_wake();
void add_empty_run();
void add_idle(std::chrono::duration<double> how_long);
void add_long_leaf();
void add_oversubscription();
void add_memory();
void add_loop();
void add_leaves();

}  // namespace stealbench::costs::micro
