#include "verify/mutation.hpp"

int main(int argc, char** argv) {
  const auto [checks, matrices] = stealbench::verify::all_suites();
  return stealbench::verify::run_checks(argc, argv, checks, matrices);
}
