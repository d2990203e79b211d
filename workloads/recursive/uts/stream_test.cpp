#include "workloads/recursive/uts/stream.hpp"

#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace stealbench::uts {
namespace {

/// Pads a message of at most 55 bytes as FIPS 180-4, section 5.1.1, says.
sha1_block padded(std::string_view message) {
  std::string bytes(message);
  bytes.push_back('\x80');
  bytes.resize(64, '\0');
  sha1_block block{};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    block[i / 4] = block[i / 4] << 8 | static_cast<unsigned char>(bytes[i]);
  }
  block[15] = static_cast<std::uint32_t>(8 * message.size());
  return block;
}

std::string hex(const sha1_digest& digest) {
  std::string text;
  for (const std::uint32_t word : digest) text += fmt::format("{:08x}", word);
  return text;
}

TEST(Sha1, HashesTheVectorsOfTheStandard) {
  EXPECT_EQ(hex(sha1(padded("abc"))), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(hex(sha1(padded(""))), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
}

TEST(Sha1, HashesTheLongestMessageOfOneBlock) {
  EXPECT_EQ(hex(sha1(padded(std::string(55, 'a')))), "c1c8bbdc22796e28c0e15163d20899b65621d65a");
}

TEST(Stream, HasThePublishedRootStates) {
  EXPECT_EQ(hex(root_state(0)), "6768033e216468247bd031a0a2d9876d79818f8f");
  EXPECT_EQ(hex(root_state(19)), "c6988ab70cc9559ae4d6cba254e29a845a85f86b");
}

TEST(Stream, HasThePublishedChildStates) {
  EXPECT_EQ(hex(child_state(root_state(0), 0)), "f6b4e21a6db7135e161960a04c6bd6cab35bd8d3");
  EXPECT_EQ(hex(child_state(root_state(19), 1)), "4a8304c7c88f903ac06b01b07c7b2590e9397b5b");
}

TEST(Stream, HasThePublishedRandomNumbers) {
  EXPECT_EQ(random_of(root_state(0)), 2038534031u);
  EXPECT_EQ(random_of(child_state(root_state(0), 0)), 861657299u);
  EXPECT_EQ(random_of(root_state(19)), 1518729323u);
}

TEST(Stream, DropsTheHighestBitOfTheLastWord) {
  EXPECT_EQ(random_of({0, 0, 0, 0, 0xffffffff}), 0x7fffffffu);
  EXPECT_EQ(random_of({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x80000000}), 0u);
}

}  // namespace
}  // namespace stealbench::uts
