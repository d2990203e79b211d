// Each scheduler's header compiles alone; its closing static_assert instantiates the contract,
// which is also what clang-tidy sees of it.
#include STEALBENCH_SCHEDULER_HEADER
