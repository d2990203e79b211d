#include "schedulers/cluster/message.hpp"

#include <cstring>
#include <string>

namespace stealbench::cluster {
namespace {

constexpr std::uint32_t signature = 0x5b1e7a61;

struct header {
  std::uint32_t signature;
  message_kind kind;
  std::uint8_t is_black;  // 0 or 1.
  std::uint16_t bytes_of_task;
  std::uint64_t tasks;
  std::uint64_t known;
  std::int64_t in_flight;
};
static_assert(sizeof(header) == 32);  // No padding: all of its bytes are sent.

[[noreturn]] void refuse(std::size_t size, const std::string& why) {
  throw foreign_message("a message of " + std::to_string(size) + " bytes that " + why);
}

}  // namespace

std::vector<std::byte> encode(const message& sent, std::size_t bytes_of_task) {
  const header first{.signature = signature,
                     .kind = sent.kind,
                     .is_black = sent.report.is_black ? std::uint8_t{1} : std::uint8_t{0},
                     .bytes_of_task = static_cast<std::uint16_t>(bytes_of_task),
                     .tasks = sent.tasks,
                     .known = sent.known,
                     .in_flight = sent.report.in_flight};
  std::vector<std::byte> all(sizeof first + sent.bytes.size());
  std::memcpy(all.data(), &first, sizeof first);
  if (!sent.bytes.empty()) {
    std::memcpy(all.data() + sizeof first, sent.bytes.data(), sent.bytes.size());
  }
  return all;
}

message decode(std::span<const std::byte> received, std::size_t bytes_of_task) {
  header first;
  if (received.size() < sizeof first) refuse(received.size(), "is shorter than any of a search");
  std::memcpy(&first, received.data(), sizeof first);
  const std::span<const std::byte> rest = received.subspan(sizeof first);
  if (first.signature != signature) refuse(received.size(), "is not of a search of stealbench");
  if (first.kind > message_kind::leave) refuse(received.size(), "is of no known kind");
  if (first.is_black > 1) refuse(received.size(), "is neither black nor white");
  if (first.bytes_of_task != bytes_of_task) refuse(received.size(), "has tasks of another size");
  const bool has_tasks = first.kind == message_kind::loot || first.kind == message_kind::gift;
  if ((first.tasks > 0) != has_tasks || rest.size() / bytes_of_task != first.tasks ||
      rest.size() % bytes_of_task != 0) {
    refuse(received.size(),
           "does not have the " + std::to_string(first.tasks) + " tasks that it says");
  }
  return {.kind = first.kind,
          .known = first.known,
          .report = {.in_flight = first.in_flight, .is_black = first.is_black == 1},
          .tasks = first.tasks,
          .bytes = {rest.begin(), rest.end()}};
}

}  // namespace stealbench::cluster
