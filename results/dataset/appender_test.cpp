#include "results/dataset/appender.hpp"

#include <algorithm>
#include <system_error>

#include <sys/stat.h>

#include "results/dataset/fixture.hpp"
#include "results/system/file_limit_fixture.hpp"
#include "results/system/scratch_folder_fixture.hpp"
#include "schedulers/input.hpp"

namespace stealbench::dataset {
namespace {

namespace fs = std::filesystem;
using schedulers::bad_input;

/// The lines of the fixture up to the first process.
constexpr std::size_t lines_to_first_process = 3;

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Appender : public system::scratch_folder {
 protected:
  [[nodiscard]] fs::path file() const { return folder() / "compare.jsonl"; }

  [[nodiscard]] appender make(earlier what = earlier::keep) const {
    return {folder(), "compare", what};
  }

  /// The first so many lines of the fixture, as if the driver had been killed behind them.
  void write(std::size_t lines) const {
    raw_lines all = made_comparison();
    all.resize(lines);
    std::ofstream(file()) << jsonl_of(all);
  }

  /// Adds the lines of the fixture from this one on, or those before `end`.
  static void add(appender& to, std::size_t first, std::size_t end = ~std::size_t{0}) {
    const raw_lines lines = made_comparison();
    for (std::size_t i = first; i < std::min(end, lines.size()); ++i) to.add(lines[i]);
  }

  /// Adding that line fails.
  static void expect_stop(appender& kept, std::size_t line, const std::string& reason) {
    try {
      add(kept, line, line + 1);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::system_error& error) {
      EXPECT_TRUE(contains(error.what(), reason)) << error.what();
    }
  }

  void expect_refusal(const fs::path& where, earlier what,
                      const std::vector<std::string>& parts) const {
    try {
      const appender refused(where, "compare", what);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const bad_input& error) {
      for (const std::string& part : parts) {
        EXPECT_TRUE(contains(error.what(), part)) << part << " in\n" << error.what();
      }
      EXPECT_TRUE(contains(error.what(), "valid: ")) << error.what();
    }
  }

  [[nodiscard]] std::ptrdiff_t file_count() const {
    return std::distance(fs::directory_iterator(folder()), {});
  }
};

TEST_F(Appender, HasEveryLineOnDiskBeforeTheNext) {
  const raw_lines lines = made_comparison();
  appender kept(folder() / "new" / "folder", "compare", earlier::keep);
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    kept.add(lines[i]);
    text += lines[i].dump() + '\n';
    const bool is_measured = i + 1 >= lines_to_first_process;
    EXPECT_EQ(kept.is_saved(), is_measured);
    EXPECT_EQ(text_of(kept.file()), is_measured ? text : "");
  }
  EXPECT_TRUE(kept.data().is_finished());
  EXPECT_EQ(kept.file(), folder() / "new" / "folder" / "compare.jsonl");
}

TEST_F(Appender, LeavesAnOlderFileAndItsReportAloneUntilTheFirstProcess) {
  const raw_lines lines = made_comparison();
  write(lines.size());
  for (const char* const derived : {"compare.md", "compare.csv", "report.html", "grain.md"}) {
    std::ofstream(folder() / derived) << "older";
  }
  const std::string before = text_of(file());
  appender newer = make();
  newer.add(lines[0]);
  newer.add(lines[1]);
  EXPECT_EQ(text_of(file()), before);
  EXPECT_EQ(text_of(folder() / "compare.md"), "older");
  newer.add(lines[2]);
  EXPECT_EQ(text_of(file()), jsonl_of({lines.begin(), lines.begin() + lines_to_first_process}));
  for (const char* const derived : {"compare.md", "compare.csv", "report.html"}) {
    EXPECT_FALSE(fs::exists(folder() / derived)) << derived << " shows other measurements";
  }
  EXPECT_TRUE(fs::exists(folder() / "grain.md")) << "of another experiment";
}

TEST_F(Appender, LeavesNoTemporaryFileBehind) {
  appender kept = make();
  EXPECT_EQ(file_count(), 0);
  add(kept, 0);
  EXPECT_EQ(file_count(), 1);
}

TEST_F(Appender, RefusesAFolderThatAnotherWritesTo) {
  {
    const appender first = make();
    expect_refusal(folder(), earlier::keep, {"another stealbench"});
    expect_refusal(folder(), earlier::replace, {"another stealbench"});
  }
  EXPECT_NO_THROW(static_cast<void>(make()));
}

TEST_F(Appender, KeepsAnUnfinishedExperimentUnlessAskedToReplaceIt) {
  write(8);
  const std::string before = text_of(file());
  expect_refusal(folder(), earlier::keep, {"unfinished compare", "--resume", "--overwrite"});
  {
    const appender begun = make(earlier::replace);
    EXPECT_TRUE(begun.data().cells().empty());
  }
  EXPECT_EQ(text_of(file()), before) << "nothing has been measured yet";
  EXPECT_NO_THROW(appender(folder(), "grain", earlier::keep)) << "another experiment";
}

TEST_F(Appender, KeepsAFileThatIsNoExperimentOfThisNameUnlessAskedToReplaceIt) {
  raw_lines older = made_comparison();
  older.front()["format"] = format_version - 1;
  raw_lines grain = made_comparison();
  grain.front()["experiment"] = "grain";
  raw_lines damaged = made_comparison();
  damaged.erase(damaged.begin() + 2);
  const std::string whole = jsonl_of(made_comparison());
  for (const std::string& kept :
       {jsonl_of(older), jsonl_of(grain), jsonl_of(damaged), std::string("mine\n"), std::string(),
        std::string("{}"), std::string("\0\xff\n", 3), whole.substr(0, whole.size() / 2) + "\n",
        whole.substr(0, 40)}) {
    std::ofstream(file()) << kept;
    expect_refusal(folder(), earlier::keep, {"compare.jsonl", "--overwrite", "another --output"});
    EXPECT_EQ(text_of(file()), kept);
    EXPECT_NO_THROW(static_cast<void>(make(earlier::replace)));
  }
  write(made_comparison().size());
  EXPECT_NO_THROW(static_cast<void>(make())) << "a finished one";
}

TEST_F(Appender, KeepsFilesThatNoExperimentHasWrittenThere) {
  for (const char* const name : {"compare.md", "compare.csv", "report.html"}) {
    std::ofstream(folder() / name) << "mine";
    expect_refusal(folder(), earlier::keep, {name, "--overwrite"});
    EXPECT_EQ(text_of(folder() / name), "mine");
    EXPECT_NO_THROW(static_cast<void>(make(earlier::replace)));
    fs::remove(folder() / name);
  }
  std::ofstream(folder() / "compare.jsonl.gz") << "compressed";
  expect_refusal(folder(), earlier::keep, {"it holds compare.jsonl.gz", "--overwrite"});
  {
    appender replacing = make(earlier::replace);
    add(replacing, 0);
  }
  EXPECT_FALSE(fs::exists(folder() / "compare.jsonl.gz")) << "of another run than the raw file";
  fs::remove(file());
  std::ofstream(folder() / "README.md") << "mine";
  EXPECT_NO_THROW(static_cast<void>(make())) << "it writes no such file";
  std::ofstream(folder() / "grain.jsonl") << "";
  std::ofstream(folder() / "report.html") << "of the other experiment";
  EXPECT_NO_THROW(static_cast<void>(make()));
  fs::rename(folder() / "grain.jsonl", folder() / "grain.jsonl.gz");
  EXPECT_NO_THROW(static_cast<void>(make()));
}

TEST_F(Appender, RefusesARawFileThatIsNoRegularFile) {
  ASSERT_EQ(mkfifo(file().c_str(), 0600), 0);
  for (const earlier what : {earlier::keep, earlier::resume, earlier::replace}) {
    expect_refusal(folder(), what, {"compare.jsonl", "not a regular file"});
  }
  EXPECT_TRUE(fs::is_fifo(file()));
}

TEST_F(Appender, StopsWhenItsFolderIsGone) {
  for (const bool is_moved : {true, false}) {
    appender kept(folder() / "output", "compare", earlier::replace);
    add(kept, 0, 4);
    EXPECT_TRUE(kept.is_saved());
    if (is_moved) {
      fs::rename(folder() / "output", folder() / "moved");
    } else {
      fs::remove_all(folder() / "output");
    }
    EXPECT_FALSE(kept.is_saved());
    expect_stop(kept, 4, "moved, deleted or replaced");
    EXPECT_FALSE(fs::exists(folder() / "output"));
  }
}

TEST_F(Appender, GoesOnWithAnUnfinishedExperiment) {
  write(8);
  appender resumed = make(earlier::resume);
  EXPECT_EQ(resumed.data().cells()[0].samples.size(), 1U);
  add(resumed, 8);
  EXPECT_EQ(text_of(file()), jsonl_of(made_comparison()));
}

TEST_F(Appender, LeavesAResumedFileAloneUntilSomethingIsMeasured) {
  write(8);
  const std::string before = text_of(file());
  appender resumed = make(earlier::resume);
  resumed.add({{"type", "resumed"}, {"date", "2026-11-21T20:41:35Z"}});
  EXPECT_EQ(text_of(file()), before);
  resumed.add(made_comparison()[8]);
  EXPECT_TRUE(contains(text_of(file()), "resumed"));
}

TEST_F(Appender, CutsOffATornLineWhenItGoesOn) {
  write(8);
  const std::string next = made_comparison()[8].dump();
  std::ofstream(file(), std::ios::app) << next.substr(0, next.size() / 2);
  appender resumed = make(earlier::resume);
  EXPECT_EQ(resumed.data().cells()[0].samples.size(), 1U);
  add(resumed, 8);
  EXPECT_EQ(text_of(file()), jsonl_of(made_comparison()));
}

TEST_F(Appender, RefusesToGoOnWithWhatIsNoUnfinishedExperiment) {
  expect_refusal(folder() / "none", earlier::resume, {"--resume: there is no compare.jsonl in"});
  EXPECT_FALSE(fs::exists(folder() / "none"));
  write(made_comparison().size());
  expect_refusal(folder(), earlier::resume, {"compare", "is finished"});
  std::ofstream(file()) << "{\"type\":";
  expect_refusal(folder(), earlier::resume, {"no complete line"});
  std::ofstream(file()) << "{\"type\":\n";
  expect_refusal(folder(), earlier::resume, {"line 1"});
  raw_lines other = made_comparison();
  other.pop_back();
  other.front()["experiment"] = "grain";
  std::ofstream(file()) << jsonl_of(other);
  expect_refusal(folder(), earlier::resume, {"compare"});
}

TEST_F(Appender, RefusesALineThatDoesNotFitAndWritesNothingOfIt) {
  appender kept = make();
  add(kept, 0, 3);
  EXPECT_THROW(add(kept, 2, 3), bad_input) << "that round is there";
  EXPECT_EQ(read_file(file()).data.cells()[0].samples.size(), 1U);
}

TEST_F(Appender, WritesWhatIsNoUtf8AsReplacementCharacters) {
  const raw_lines lines = made_comparison();
  appender kept = make();
  kept.add(lines[0]);
  kept.add({{"type", "process"},
            {"cell", lines[2]["cell"]},
            {"round", 1},
            {"spent_seconds", 1},
            {"failure", "\xff"}});
  EXPECT_EQ(read_file(file()).data.cells()[0].failure, "\xEF\xBF\xBD");
}

TEST_F(Appender, RefusesAFolderThatCannotBeMade) {
  const fs::path below = plant("file", "") / "below";
  expect_refusal(below, earlier::keep,
                 {"output folder '" + below.string() + "'", "Not a directory"});
  expect_refusal("", earlier::keep, {"no name"});
}

TEST_F(Appender, RefusesAFolderThatCannotBeWritten) {
  // Not even root can make a file there.
  expect_refusal("/proc/self/task", earlier::keep, {"output folder '/proc/self/task'"});
  fs::create_directory(file());
  expect_refusal(folder(), earlier::keep, {"compare.jsonl is a folder"});
}

TEST_F(Appender, RefusesADiskThatIsFull) {
  fs::create_symlink("/dev/full", folder() / ".compare.jsonl.new");
  expect_refusal(folder(), earlier::keep, {"No space left on device"});
}

TEST_F(Appender, LosesALineAtMostWhenTheDiskBecomesFull) {
  const raw_lines lines = made_comparison();
  const std::string whole = jsonl_of({lines.begin(), lines.begin() + 6});
  {
    appender kept = make();
    add(kept, 0, 6);
    const system::file_limit full(whole.size() + 20);
    expect_stop(kept, 6, "cannot write " + file().string());
  }
  EXPECT_EQ(text_of(file()), whole + lines[6].dump().substr(0, 20));
  appender resumed = make(earlier::resume);
  add(resumed, 6);
  EXPECT_EQ(text_of(file()), jsonl_of(lines));
}

}  // namespace
}  // namespace stealbench::dataset
