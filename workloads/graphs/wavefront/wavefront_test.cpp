#include "workloads/graphs/wavefront/wavefront.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/prepared_fixture.hpp"

namespace stealbench::wavefront {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

/// By the definition, with the whole table.
std::uint32_t longest_common(const std::vector<std::uint8_t>& a,
                             const std::vector<std::uint8_t>& b) {
  std::vector<std::vector<std::uint32_t>> length(a.size() + 1,
                                                 std::vector<std::uint32_t>(b.size() + 1, 0));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      length[i + 1][j + 1] =
          a[i] == b[j] ? length[i][j] + 1 : std::max(length[i][j + 1], length[i + 1][j]);
    }
  }
  return length[a.size()][b.size()];
}

TEST(Wavefront, FindsTheLengthOfTheDefinitionInEitherOrder) {
  for (const char* order : {"quadrants", "diagonals"}) {
    for (const char* blocks : {"1", "2", "8"}) {
      for (const char* block : {"1", "2", "3", "17"}) {
        workload::input in = prepared({{"order", order}, {"blocks", blocks}, {"block", block}});
        const workload::output out = workload::run(serial::worker{}, in);
        EXPECT_EQ(out, longest_common(in.cells.down, in.cells.across))
            << order << ", " << blocks << " blocks of " << block;
        EXPECT_EQ(workload::verify(in, out), true);
      }
    }
  }
}

TEST(Wavefront, FindsThePublishedShareOfRandomLetters) {
  workload::input in = prepared({{"blocks", "16"}, {"block", "256"}});
  const workload::output out = workload::run(serial::worker{}, in);
  // Chvatal & Sankoff's constant of four letters is 0.654; finite strings lie a little below it.
  EXPECT_NEAR(out / 4096.0, 0.65, 0.01);
}

TEST(Wavefront, NoticesABlockThatWasFilledTooEarly) {
  workload::input in = prepared({{"blocks", "4"}, {"block", "16"}});
  for (std::size_t row = 0; row < 4; ++row) {
    // The last two columns of each row the wrong way round.
    for (const std::size_t column : {0U, 1U, 3U, 2U}) fill_block(in.cells, row, column);
  }
  EXPECT_EQ(workload::verify(in, in.cells.above.back()), false);
}

TEST(Wavefront, NoticesAWrongLengthAndALostBlockInTheCornerThatTheLengthDoesNotNeed) {
  workload::input in = prepared({{"blocks", "4"}, {"block", "16"}});
  const workload::output out = workload::run(serial::worker{}, in);
  ASSERT_EQ(workload::verify(in, out), true);
  EXPECT_EQ(workload::verify(in, out + 1), false);
  in.cells.digest[3] = 0;
  EXPECT_EQ(workload::verify(in, out), false);
}

TEST(Wavefront, RefusesBlocksThatCannotBeHalved) {
  for (const char* blocks : {"0", "3", "12"}) {
    EXPECT_THROW(prepared({{"blocks", blocks}}), kit::bad_input) << blocks;
  }
  try {
    prepared({{"blocks", "12"}});
  } catch (const kit::bad_input& error) {
    EXPECT_NE(std::string(error.what()).find("8 or 16"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace stealbench::wavefront
