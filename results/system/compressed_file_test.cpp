#include "results/system/compressed_file.hpp"

#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <zlib.h>

#include "results/system/scratch_folder_fixture.hpp"

namespace stealbench::system {
namespace {

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class CompressedFile : public scratch_folder {
 protected:
  struct text {
    std::string all;
    bool is_bad;
  };

  [[nodiscard]] std::filesystem::path file() const { return folder() / "file"; }

  [[nodiscard]] text read() const {
    compressed_file stream(file());
    EXPECT_TRUE(stream.is_open());
    text found{};
    std::string line;
    while (std::getline(stream, line)) found.all += line + '\n';
    found.is_bad = stream.bad();
    return found;
  }

  void write_compressed(const std::string& lines) const {
    const gzFile compressed = gzopen(file().c_str(), "wb");
    ASSERT_EQ(gzwrite(compressed, lines.data(), static_cast<unsigned>(lines.size())),
              static_cast<int>(lines.size()));
    ASSERT_EQ(gzclose(compressed), Z_OK);
  }

  [[nodiscard]] std::string bytes() const {
    std::ifstream stream(file(), std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  /// More than a buffer of each, and no line like another.
  [[nodiscard]] static std::string many_lines() {
    std::string lines;
    for (int i = 0; i < 100'000; ++i) lines += std::to_string(i * 7919 % 1'000'003) + '\n';
    return lines;
  }
};

TEST_F(CompressedFile, IsReadAsItWasBeforeItWasCompressed) {
  for (const std::string& each : {std::string("one\ntwo\n"), many_lines()}) {
    write_compressed(each);
    EXPECT_LT(bytes().size(), each.size() + 30);
    EXPECT_NE(bytes(), each);
    const text found = read();
    EXPECT_TRUE(found.all == each);
    EXPECT_FALSE(found.is_bad);
  }
}

TEST_F(CompressedFile, IsReadAsItIsIfItIsNot) {
  for (const std::string& each : {std::string(), std::string("one\n"), many_lines()}) {
    std::ofstream(file(), std::ios::binary) << each;
    const text found = read();
    EXPECT_TRUE(found.all == each);
    EXPECT_FALSE(found.is_bad);
  }
}

TEST_F(CompressedFile, IsBadWhereItIsCutOffOrDamaged) {
  const std::string lines = many_lines();
  write_compressed(lines);
  const std::string whole = bytes();
  std::string damaged = whole;
  damaged[whole.size() / 2] = static_cast<char>(~damaged[whole.size() / 2]);
  for (const std::string& each :
       {whole.substr(0, whole.size() / 2), whole.substr(0, whole.size() - 1), damaged}) {
    std::ofstream(file(), std::ios::binary) << each;
    const text found = read();
    EXPECT_TRUE(found.is_bad);
    EXPECT_LE(found.all.size(), lines.size());
  }
}

TEST_F(CompressedFile, IsNotOpenWhereThereIsNone) {
  compressed_file none(file());
  EXPECT_FALSE(none.is_open());
  EXPECT_TRUE(none.fail());
}

}  // namespace
}  // namespace stealbench::system
