#include "bench/cell/process.hpp"

int main(int argc, char** argv) { return stealbench::cell::run_process(argc, argv); }
