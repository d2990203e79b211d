// For tests of `stealbench simulate`, on simulations that they plant.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "bench/driver/end_to_end/driver_fixture.hpp"
#include "bench/driver/end_to_end/planted_fixture.hpp"
#include "schedulers/virtual_machine/profile.hpp"

namespace stealbench::end_to_end {

class simulate_fixture : public driver_fixture {
 protected:
  simulate_fixture() {
    use_planted_schedulers();
    for (const char* const name : {"work-stealing", "work-stealing.chase-lev", "central-queue"}) {
      plant(std::string("stealbench-simulated-") + name, simulator());
    }
    plant("stealbench-work-stealing", "exit 1");  // Says which settings there are.
    std::filesystem::create_directories(folder() / "profiles");
    write_profile("reference", 90);
    std::ofstream(folder() / "killed_at") << never;
  }

  void write_profile(const std::string& name, double transfer) const {
    virtual_machine::profile profile;
    profile.name = name;
    profile.is_measured = true;
    profile.processor = "a processor";
    profile.date = "a day";
    profile.costs.transfer = transfer;
    profile.costs.pause = 24;
    for (const char* const each : {"fib", "uts"}) {
      profile.work.push_back({.workload = each, .parameters = {}, .ns = 10});
    }
    std::ofstream(folder() / "profiles" / (name + ".json")) << json_of(profile);
  }

  /// Simulated times follow from the cell, the seed and the profile, and from nothing else. Its
  /// call number `killed_at` kills the driver before it says anything.
  [[nodiscard]] static std::string simulator() {
    return R"(here=${0%/*}; echo "$*" >> "$here/calls"
if [ $(wc -l < "$here/calls") = $(cat "$here/killed_at") ]; then kill -KILL $PPID; exec sleep 600; fi
vary=; last=
for word; do
  case $last in
    --workload) workload=$word ;;
    --workers) workers=$word ;;
    --seed) seed=$word ;;
    --profile) profile=$word ;;
    --vary) vary=$word ;;
  esac
  last=$word
done
transfer=$(sed 's/.*"transfer_ns":\([0-9]*\).*/\1/' "$profile")
[ "$vary" != transfer=2 ] || transfer=$((2 * transfer))
ns=$((8000000 / workers + 1000 * seed + transfer))
echo '{"workload":"'$workload'","scheduler":"s","parameters":{"n":20},"workers":'$workers',
"seed":'$seed',"profile":"p","verified":true,"answer":1,"seconds":'$ns'e-9,"fork_count":1000,
"work_units":1000,"tasks_moved":'$workers',"steal_attempts":7,"shares":{"work":0.5,"overhead":0.25,
"search":0.125,"lines":0.125,"asleep":0},"lines":[{"name":"top of a deque","share":0.1,"waits":3}],
"counters":{"steals":54321},"unit_ns":10,"unit_from":"this instance","charges":{"fork":1},
"host_seconds":0.1}')";
  }

  [[nodiscard]] std::vector<std::string> arguments(
      const std::vector<std::string>& more = {}) const {
    // One after the other, so that the calls of the planted simulator have numbers.
    std::vector<std::string> all{
        "simulate",      "fib",       "--size", "test",     "--scheduler",
        "work-stealing", "--workers", "1,4",    "--output", output().string(),
        "--jobs",        "1"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  [[nodiscard]] std::string calls() const { return text_of(folder() / "calls"); }

  void refuses(const std::vector<std::string>& more, const std::vector<std::string>& parts) const {
    expect_refusal(arguments(more), parts);
    EXPECT_FALSE(std::filesystem::exists(output()));
  }

  /// Without what the clock says.
  [[nodiscard]] std::vector<json> processes() const {
    std::vector<json> all = lines_of_type("process", "simulate");
    for (json& each : all) each.erase("spent_seconds");
    return all;
  }
};

}  // namespace stealbench::end_to_end
