#include "schedulers/engine/block_pool.hpp"

#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace stealbench::engine {
namespace {

TEST(BlockPool, ReusesTheLatestBlockFirst) {
  block_pool pool;
  void* const first = pool.allocate(64, 8);
  pool.deallocate(first, 64, 8);
  EXPECT_EQ(pool.allocate(100, 16), first);
  pool.deallocate(first, 100, 16);
}

TEST(BlockPool, HandsOutDistinctBlocksBeyondOneSlab) {
  block_pool pool;
  std::vector<void*> blocks;
  for (int i = 0; i < 1000; ++i) {
    blocks.push_back(pool.allocate(block_pool::block_bytes, 64));
    std::memset(blocks.back(), i, block_pool::block_bytes);  // ASan sees blocks that overlap.
  }
  EXPECT_EQ(std::set<void*>(blocks.begin(), blocks.end()).size(), blocks.size());
  for (void* each : blocks) pool.deallocate(each, block_pool::block_bytes, 64);
}

TEST(BlockPool, ServesWhatDoesNotFitABlock) {
  block_pool pool;
  void* const large = pool.allocate(10'000, 16);
  void* const aligned = pool.allocate(16, 256);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(aligned) % 256, 0U);
  std::memset(large, 1, 10'000);
  pool.deallocate(large, 10'000, 16);
  pool.deallocate(aligned, 16, 256);
}

}  // namespace
}  // namespace stealbench::engine
