#include "schedulers/operating_system/mapped_memory.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include <gtest/gtest.h>
#include <sys/syscall.h>

#include "schedulers/contract/faults/refused_call.hpp"

namespace stealbench::operating_system {
namespace {

using schedulers::contract::can_refuse_system_calls;
using schedulers::contract::refuse_system_call;

/// Of this process's address space.
std::size_t reserved_bytes() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * page_bytes();
}

TEST(MappedMemory, IsZeroAndAlignedAndOfWholePages) {
  for (const std::size_t alignment : {std::size_t{1}, std::size_t{64}, std::size_t{8} << 20}) {
    for (const bool guard : {false, true}) {
      const mapped_memory memory("a test", 100'001, alignment, guard);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.begin()) % alignment, 0U);
      EXPECT_EQ(memory.bytes() % page_bytes(), 0U);
      EXPECT_GE(memory.bytes(), 100'001U);
      for (std::byte& each : std::span(memory.begin(), memory.bytes())) {
        ASSERT_EQ(each, std::byte{0});
        each = std::byte{1};
      }
      clear_pages(memory.begin(), memory.bytes());
      EXPECT_EQ(*memory.begin(), std::byte{0});
      EXPECT_EQ(memory.end()[-1], std::byte{0});
    }
  }
}

TEST(MappedMemory, KeepsNoMoreThanItsBlockAndGivesThatBackOnce) {
  constexpr std::size_t gigabyte = std::size_t{1} << 30;
  const std::size_t before = reserved_bytes();
  {
    mapped_memory first("a test", gigabyte, gigabyte, /*guard=*/true);
    EXPECT_LT(reserved_bytes() - before, gigabyte + gigabyte / 2);
    const mapped_memory second = std::move(first);
    EXPECT_EQ(second.bytes(), gigabyte);
    EXPECT_GE(reserved_bytes() - before, gigabyte);
  }
  EXPECT_LT(reserved_bytes() - before, gigabyte / 2);
}

/// What the kernel says of the mapping that begins there.
std::string flags_of(const std::byte* begin) {
  std::ifstream mappings("/proc/self/smaps");
  bool is_there = false;
  for (std::string line; std::getline(mappings, line);) {
    if (line.starts_with("VmFlags:") && is_there) return line + " ";
    std::uintptr_t first = 0;
    if (std::sscanf(line.c_str(), "%zx-", &first) == 1 && line.find('-') < 17) {
      is_there = first == reinterpret_cast<std::uintptr_t>(begin);
    }
  }
  return "";
}

TEST(MappedMemory, TakesNoHugePagesAndReservesNone) {
  const mapped_memory memory("a test", 100'000, 1, /*guard=*/true);
  const std::string flags = flags_of(memory.begin());
  if (flags.empty()) GTEST_SKIP() << "the kernel does not say";
  EXPECT_NE(flags.find(" nr "), std::string::npos) << flags;
  EXPECT_NE(flags.find(" nh "), std::string::npos) << flags;
}

TEST(MappedMemory, ThatCannotBeHadIsAnErrorThatNamesItsPurpose) {
  try {
    const mapped_memory none("a test", std::size_t{1} << 62);
    ADD_FAILURE();
  } catch (const std::system_error& error) {
    EXPECT_STREQ(error.what(),
                 "cannot reserve a test of 4611686018427387904 bytes: Cannot allocate memory");
  }
}

// The kernel refuses it, for one, once the process has too many mappings.
TEST(MappedMemoryDeathTest, WithoutItsGuardIsAnErrorAndKeepsNothing) {
  if (!can_refuse_system_calls()) GTEST_SKIP() << "this process may not install a seccomp filter";
  EXPECT_EXIT(
      {
        constexpr std::size_t gigabyte = std::size_t{1} << 30;
        if (!refuse_system_call(SYS_mprotect, ENOMEM)) std::abort();
        const std::size_t before = reserved_bytes();
        try {
          const mapped_memory guarded("a test", gigabyte, 1, /*guard=*/true);
          std::fputs("no error\n", stderr);
        } catch (const std::system_error& error) {
          std::fprintf(stderr, "%s\n", error.what());
        }
        std::_Exit(reserved_bytes() - before < gigabyte / 2 ? 0 : 1);
      },
      testing::ExitedWithCode(0),
      "^cannot reserve a test of 1073741824 bytes: Cannot allocate memory\n$");
}

}  // namespace
}  // namespace stealbench::operating_system
