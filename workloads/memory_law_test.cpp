// What a workload says that it needs (kit::require_memory) against what it takes: the linker calls
// this file where a workload asks for the machine's memory, and the operators here count what it
// allocates.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <malloc.h>
#include <unistd.h>

#include "schedulers/contract/faults/operators_fixture.hpp"
#include "schedulers/serial/scheduler.hpp"
#include "workloads/all_workloads_fixture.hpp"
#include "workloads/loops/spmv/spmv.hpp"
#include "workloads/recursive/health/health.hpp"
#include "workloads/recursive/strassen/strassen.hpp"
#include "workloads/stress/control_loop/control_loop.hpp"

namespace {

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables)
thread_local std::ptrdiff_t bytes_in_use = 0;
thread_local std::ptrdiff_t most_bytes_in_use = 0;
std::uint64_t memory_bytes = 0;  // Of the machine; its own if this is 0.
bool was_asked_for = false;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

// NOLINTBEGIN(cppcoreguidelines-no-malloc): the operators are made of these.
void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
  const std::size_t whole = (bytes + alignment - 1) / alignment * alignment;
  void* const allocated = std::aligned_alloc(alignment, whole);
  if (allocated == nullptr) return nullptr;
  bytes_in_use += static_cast<std::ptrdiff_t>(malloc_usable_size(allocated));
  most_bytes_in_use = std::max(most_bytes_in_use, bytes_in_use);
  return allocated;
}

void release(void* allocated) noexcept {
  bytes_in_use -= static_cast<std::ptrdiff_t>(malloc_usable_size(allocated));
  std::free(allocated);
}
// NOLINTEND(cppcoreguidelines-no-malloc)

}  // namespace

long real_sysconf(int which) __asm__("__real_sysconf");
long wrapped_sysconf(int which) __asm__("__wrap_sysconf");
long wrapped_sysconf(int which) {
  if (which == _SC_PHYS_PAGES) was_asked_for = true;
  if (memory_bytes == 0) return real_sysconf(which);
  return which == _SC_PHYS_PAGES ? static_cast<long>(memory_bytes) : 1;  // In pages of a byte.
}

namespace stealbench::workloads {
namespace {

/// What preparing, running and checking an instance allocates.
template <class Workload>
std::uint64_t bytes_taken_by(const kit::parameters& instance) {
  const std::ptrdiff_t before = bytes_in_use;
  most_bytes_in_use = before;
  auto in = Workload::prepare(instance);
  Workload::reset(in);
  const auto out = Workload::run(serial::worker{}, in);
  EXPECT_EQ(Workload::verify(in, out), true);
  return static_cast<std::uint64_t>(most_bytes_in_use - before);
}

template <class Workload>
bool is_refused_with(double memory, const kit::parameters& instance) {
  memory_bytes = static_cast<std::uint64_t>(memory);
  most_bytes_in_use = bytes_in_use;
  bool refused = false;
  try {
    static_cast<void>(Workload::prepare(instance));
  } catch (const kit::bad_input&) {
    refused = true;
  }
  memory_bytes = 0;
  return refused;
}

template <class Workload>
// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class InLittleMemory : public testing::Test {};

TYPED_TEST_SUITE(InLittleMemory, all_workloads);

TYPED_TEST(InLittleMemory, IsRefusedIfItTakesMoreAndNotIfItTakesLess) {
  const kit::description described = TypeParam::describe();
  const kit::parameters instance =
      kit::instances_of(described, kit::find_size(described, "small"), {}).front();
  was_asked_for = false;
  const auto taken = static_cast<double>(bytes_taken_by<TypeParam>(instance));
  if (!was_asked_for) {
    EXPECT_LT(taken, 1 << 16) << "it does not ask whether there is as much";
    return;
  }
  EXPECT_TRUE(is_refused_with<TypeParam>(0.97 * taken, instance)) << taken;
  EXPECT_TRUE(is_refused_with<TypeParam>(1, instance));
  EXPECT_LT(most_bytes_in_use - bytes_in_use, 1 << 16) << "it allocates before it asks";
  // Without a published answer a check takes more, and so do rows that are all as long.
  constexpr std::array<std::string_view, 2> may_take_more{"health", "nested_loops"};
  if (std::ranges::count(may_take_more, described.name) > 0) return;
  EXPECT_FALSE(is_refused_with<TypeParam>(1.2 * taken, instance)) << taken;
}

TEST(StatedMemory, NamesABurstTooManyWhereThereIsOneTaskOfEach) {
  memory_bytes = 1 << 30;
  std::string message;
  try {
    control_loop::workload::prepare({control_loop::workload::describe(),
                                     {{"ticks", "1000000"}, {"bursts", "1000"}, {"tasks", "1"}}});
  } catch (const kit::bad_input& refused) {
    message = refused.what();
  }
  memory_bytes = 0;
  EXPECT_NE(message.find("--set bursts=1000"), std::string::npos) << message;
  EXPECT_NE(message.find("valid: up to 13"), std::string::npos) << message;
}

/// Within a tenth, where a part of it depends on parameters that the sizes do not vary.
template <class Workload>
void expect_asks_for_what_it_takes(const std::vector<kit::assignment>& chosen) {
  const kit::parameters instance(Workload::describe(), chosen);
  const auto taken = static_cast<double>(bytes_taken_by<Workload>(instance));
  EXPECT_TRUE(is_refused_with<Workload>(0.9 * taken, instance)) << taken;
  EXPECT_FALSE(is_refused_with<Workload>(1.1 * taken, instance)) << taken;
}

// No sums, as the product is a leaf; no vector that no run holds; and a second country, as no
// census is published.
TEST(StatedMemory, IsWhatIsTakenWhereAPartOfItDependsOnOtherParameters) {
  expect_asks_for_what_it_takes<strassen::workload>({{"n", "256"}, {"leaf", "256"}});
  expect_asks_for_what_it_takes<spmv::workload>(
      {{"rows", "2^16"}, {"shortest", "1"}, {"longest", "1"}, {"products", "1"}});
  expect_asks_for_what_it_takes<health::workload>({{"levels", "3"}, {"steps", "20"}});
}

}  // namespace
}  // namespace stealbench::workloads
