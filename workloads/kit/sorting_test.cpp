#include "workloads/kit/sorting.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace stealbench::kit {
namespace {

using keys = std::vector<std::uint64_t>;

TEST(MultisetHash, IgnoresTheOrder) {
  EXPECT_EQ(multiset_hash(keys{1, 2, 3}), multiset_hash(keys{3, 1, 2}));
}

TEST(MultisetHash, SeesHowOftenAKeyOccurs) {
  EXPECT_NE(multiset_hash(keys{1, 1, 2}), multiset_hash(keys{1, 2, 2}));
  EXPECT_NE(multiset_hash(keys{0}), multiset_hash(keys{}));
  EXPECT_NE(multiset_hash(keys{1, 4}), multiset_hash(keys{2, 3})) << "the same sum";
}

}  // namespace
}  // namespace stealbench::kit
