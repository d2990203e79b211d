#include "schedulers/cluster/message.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace stealbench::cluster {
namespace {

constexpr std::size_t bytes_of_task = 12;

message loot() {
  return {
      .kind = message_kind::loot, .known = 7, .tasks = 2, .bytes = std::vector(24, std::byte{5})};
}

TEST(Message, ArrivesAsItWasSent) {
  const message arrived = decode(encode(loot(), bytes_of_task), bytes_of_task);
  EXPECT_EQ(arrived.kind, message_kind::loot);
  EXPECT_EQ(arrived.known, 7U);
  EXPECT_EQ(arrived.tasks, 2U);
  EXPECT_EQ(arrived.bytes, loot().bytes);
  for (const bool is_black : {false, true}) {
    const message sent{.kind = message_kind::report,
                       .report = {.in_flight = -3, .is_black = is_black}};
    EXPECT_EQ(decode(encode(sent, bytes_of_task), bytes_of_task).report, sent.report);
  }
}

/// Why the bytes are refused, once `change` has changed them.
std::string refusal(const std::function<void(std::vector<std::byte>&)>& change) {
  std::vector<std::byte> bytes = encode(loot(), bytes_of_task);
  change(bytes);
  try {
    static_cast<void>(decode(bytes, bytes_of_task));
  } catch (const foreign_message& error) {
    return error.what();
  }
  return "none";
}

TEST(Message, IsRefusedIfItIsCutOrForeign) {
  EXPECT_EQ(refusal([](auto& /*same*/) {}), "none");
  EXPECT_EQ(refusal([](auto& bytes) { bytes.resize(31); }),
            "a message of 31 bytes that is shorter than any of a search");
  EXPECT_EQ(refusal([](auto& bytes) { bytes.pop_back(); }),
            "a message of 55 bytes that does not have the 2 tasks that it says");
  EXPECT_EQ(refusal([](auto& bytes) { bytes.resize(bytes.size() + bytes_of_task); }),
            "a message of 68 bytes that does not have the 2 tasks that it says");
  EXPECT_EQ(refusal([](auto& bytes) { bytes[0] = std::byte{0}; }),
            "a message of 56 bytes that is not of a search of stealbench");
  EXPECT_EQ(refusal([](auto& bytes) { bytes[4] = std::byte{10}; }),
            "a message of 56 bytes that is of no known kind");
  EXPECT_EQ(refusal([](auto& bytes) { bytes[5] = std::byte{2}; }),
            "a message of 56 bytes that is neither black nor white");
  EXPECT_EQ(refusal([](auto& bytes) { bytes[6] = std::byte{8}; }),
            "a message of 56 bytes that has tasks of another size");
  EXPECT_EQ(refusal([](auto& bytes) { bytes[4] = std::byte{0}; }),  // A request has no tasks.
            "a message of 56 bytes that does not have the 2 tasks that it says");
}

}  // namespace
}  // namespace stealbench::cluster
