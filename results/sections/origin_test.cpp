// Where values come from: the line of each table that names the machine.
#include <array>
#include <string>

#include <gtest/gtest.h>

#include "results/dataset/simulation_fixture.hpp"
#include "results/sections/fixture.hpp"

namespace stealbench::sections {
namespace {

using dataset::simulated_lines;

/// `processors` is what the machine has, and `usable`, unless empty, what its processes could use.
measurements measured_on(const std::string& processor, unsigned processors, unsigned workers,
                         const std::string& usable = {}) {
  raw_lines lines =
      lines_of("compare", {{fib_on("serial", workers), {1}}, {fib_on("openmp", workers), {1}}});
  lines[1]["context"].update({{"processor", processor}, {"num_cpus", processors}});
  if (!usable.empty()) lines[1]["context"]["processors"] = usable;
  return read_lines(lines);
}

TEST(MachineNote, NamesTheProcessorsAndThatValuesWereMeasured) {
  EXPECT_EQ(machine_note(measured_on("Z80", 1, 1)), "Measured on 1 processor: Z80.");
  raw_lines odd = made_comparison();
  odd[1]["context"]["environment"] = "none";
  EXPECT_EQ(machine_note(read_lines(odd)), "Measured on 2 processors: A <processor>.");
  odd[1]["context"]["environment"] = "GOGC=off";
  EXPECT_EQ(machine_note(read_lines(odd)),
            "Measured on 2 processors: A <processor>, with GOGC=off.");
  EXPECT_EQ(machine_note(measured_on("Z80", 4, 4)), "Measured on 4 processors: Z80.");
  EXPECT_EQ(machine_note(measured_on("Z80", 64, 2, "2")), "Measured on 2 processors: Z80.");
}

TEST(MachineNote, SaysWhereWorkersHadToShareProcessors) {
  EXPECT_EQ(machine_note(measured_on("Z80", 4, 5)),
            "Measured with up to 5 workers on 4 processors: Z80.");
  EXPECT_EQ(machine_note(measured_on("Z80", 64, 16, "2")),
            "Measured with up to 16 workers on 2 processors: Z80.");
  raw_lines alone = lines_of("compare", {{fib_on("serial", 16), {1}}});
  EXPECT_EQ(machine_note(read_lines(alone)), "Measured on 2 processors: A <processor>.")
      << "serial has one worker";
}

TEST(MachineNote, SaysWhichMachineIsNotKnown) {
  raw_lines lines = lines_of("compare", {{fib_on("serial", 16), {1}}});
  lines[1]["context"] = {{"commit", "abc"}};
  EXPECT_EQ(machine_note(read_lines(lines)), "Measured on unknown.");
}

TEST(MachineNote, NamesTheProfileOfASimulation) {
  raw_lines lines = simulated_lines({{fib_on("work-stealing", 64), six(1)}}, {64});
  EXPECT_EQ(machine_note(read_lines(lines)),
            "Simulated, with a processor for each worker: profile reference (A processor).");
  lines[0]["about"]["changes"] = {"wake 2us"};
  EXPECT_EQ(machine_note(read_lines(lines)),
            "Simulated, with a processor for each worker: profile reference with wake 2us (A "
            "processor).");
}

TEST(MachineNote, OfSeveralNamesEachMachineOnce) {
  raw_lines other = simulated_lines({{fib_on("work-stealing", 64), six(1)}}, {64});
  other[0]["about"]["profile"]["name"] = "other";
  const std::array all{measured_on("Z80", 4, 4), measured_on("Z80", 4, 9),
                       measured_on("6502", 1, 1), read_lines(dataset::made_simulation()),
                       read_lines(other)};
  EXPECT_EQ(machine_note(std::array{&all[0], &all[1], &all[2], &all[3], &all[4]}),
            "Measured on 1 processor: 6502. Measured with up to 9 workers on 4 processors: Z80. "
            "Simulated, with a processor for each worker: profiles other, reference.");
}

// As in the experiment `claims`, whose first line has the profiles.
TEST(MachineNote, OfAMixtureSaysBoth) {
  raw_lines lines = dataset::made_mixture();
  lines[0]["experiment"] = "claims";
  lines[0]["about"] = {{"claims", json::array()},
                       {"recorded", json::array()},
                       {"machines", {{"reference", dataset::simulated_profile()}}}};
  EXPECT_EQ(machine_note(read_lines(lines)),
            "Measured on 2 processors: A <processor>. Simulated, with a processor for each worker: "
            "profile reference (A processor).");
}

TEST(NameMachine, LeavesTheMachineThatATableHas) {
  report::table first{"first", {{"a"}}};
  first.origin = "elsewhere";
  std::vector<section> all{{"One", report::prominence::summary, {first}},
                           {"Two", report::prominence::detail, {report::table{"second", {{"a"}}}}}};
  name_machine("here", all);
  EXPECT_EQ(table_in(all, "first").origin, "elsewhere");
  EXPECT_EQ(table_in(all, "second").origin, "here");
}

}  // namespace
}  // namespace stealbench::sections
