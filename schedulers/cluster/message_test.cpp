#include "schedulers/cluster/message.hpp"

#include <cstddef>
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

TEST(Message, IsRefusedIfItIsCutOrForeign) {
  const std::string wrong_tasks = "does not have the 2 tasks that it says";
  struct refusal {
    std::size_t size;   ///< In bytes, which is 56 if it is whole.
    std::size_t place;  ///< Of a byte that is changed, and to what.
    int byte;
    std::string why;
  };
  for (const auto& [size, place, byte, why] :
       std::vector<refusal>{{31, 6, 12, "is shorter than any of a search"},
                            {55, 6, 12, wrong_tasks},
                            {56 + bytes_of_task, 6, 12, wrong_tasks},
                            {56, 0, 0, "is not of a search of stealbench"},
                            {56, 4, 10, "is of no known kind"},
                            {56, 5, 2, "is neither black nor white"},
                            {56, 6, 8, "has tasks of another size"},
                            {56, 4, 0, wrong_tasks}}) {  // A request has no tasks.
    std::vector<std::byte> bytes = encode(loot(), bytes_of_task);
    bytes.resize(size);
    bytes[place] = static_cast<std::byte>(byte);
    try {
      static_cast<void>(decode(bytes, bytes_of_task));
      ADD_FAILURE() << why;
    } catch (const foreign_message& error) {
      EXPECT_EQ(error.what(), "a message of " + std::to_string(size) + " bytes that " + why);
    }
  }
}

}  // namespace
}  // namespace stealbench::cluster
