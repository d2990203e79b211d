#include "bench/cell/process.hpp"
#include "bench/system/inherited.hpp"

int main(int argc, char** argv) {
  stealbench::system::begin_with_own_state();
  return stealbench::cell::run_process(argc, argv);
}
