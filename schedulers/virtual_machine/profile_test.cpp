#include "schedulers/virtual_machine/profile.hpp"

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "bench/system/scratch_folder_fixture.hpp"

namespace stealbench::virtual_machine {
namespace {

using nlohmann::ordered_json;

/// A different number in every place.
ordered_json written() {
  return ordered_json::parse(R"({"format": 1, "name": "sample",
      "costs": {"hit_ns": 0.1, "rmw_ns": 5, "fence_ns": 4.5, "transfer_ns": 90,
                "remote_transfer_ns": 180, "processors_per_socket": 32, "shared_gap_ns": 6,
                "look_ns": 2, "pause_ns": 24, "yield_ns": 300, "system_call_ns": 150,
                "sleep_ns": 1500, "wake_call_ns": 2750, "wake_ns": 9800, "membarrier_ns": 2000,
                "interrupt_ns": 500, "thread_start_ns": 30000, "jitter": 0.2},
      "schedulers": {
          "work-stealing": {"fork_ns": 0.8, "call_ns": 0.3, "spawn_ns": 2.5, "piece_ns": 1.8},
          "work-stealing:deque=chase-lev":
              {"fork_ns": 4, "call_ns": 0.3, "spawn_ns": 5, "piece_ns": 1.8}},
      "work": [
          {"workload": "uts", "parameters": {"tree": "T1"}, "unit_ns": 58, "schedulers":
              {"work-stealing": {"fork_ns": 11, "call_ns": 12, "spawn_ns": 13, "piece_ns": 14}}},
          {"workload": "uts", "parameters": {"tree": "T3"}, "unit_ns": 60},
          {"workload": "fib", "parameters": {}, "unit_ns": 1.3}]})");
}

profile sample() { return profile_of(written()); }

std::string message_of(const auto& throwing) {
  try {
    throwing();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing was thrown";
}

std::string refusal_of(const ordered_json& read) {
  return message_of([&] { static_cast<void>(profile_of(read)); });
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Profile, AMemberIsTheOneThatItsNameSays) {
  const profile read = sample();
  EXPECT_EQ(read.name, "sample");
  ASSERT_EQ(read.work.size(), 3U);
  EXPECT_EQ(read.work[0].workload, "uts");
  EXPECT_EQ(read.work[0].parameters, (std::map<std::string, std::string>{{"tree", "T1"}}));
  EXPECT_EQ(read.work[2].ns, 1.3);
  EXPECT_TRUE(read.work[1].schedulers.empty());
  ordered_json negative = written();
  negative["schedulers"]["work-stealing"]["fork_ns"] = -0.5;
  EXPECT_EQ(profile_of(negative).strategies.at("work-stealing").fork, -0.5);
}

TEST(Profile, ACostIsTheOneThatItsNameSays) {
  const costs some = sample().costs;
  EXPECT_EQ(some.hit, 0.1);
  EXPECT_EQ(some.remote_transfer, 180);
  EXPECT_EQ(some.wake_call, 2750);
  EXPECT_EQ(some.wake, 9800);
  EXPECT_EQ(some.processors_per_socket, 32U);
  EXPECT_EQ(nlohmann::json(json_of(some)), nlohmann::json(written()["costs"]));
}

TEST(Profile, LacksNoMember) {
  const ordered_json whole = written();
  for (const auto& [key, value] : whole.items()) {
    ordered_json lacking = whole;
    lacking.erase(key);
    EXPECT_EQ(refusal_of(lacking), "'" + key + "' is missing");
  }
  for (const auto& [key, value] : whole["costs"].items()) {
    ordered_json lacking = whole;
    lacking["costs"].erase(key);
    EXPECT_EQ(refusal_of(lacking), "'" + key + "' is missing");
  }
}

TEST(Profile, RefusesValuesThatAreNone) {
  const auto refusal_with = [](const std::string& pointer, const ordered_json& value) {
    ordered_json read = written();
    read[ordered_json::json_pointer(pointer)] = value;
    return refusal_of(read);
  };
  const std::string first_unit = (ordered_json::json_pointer("/work") / std::size_t{0}).to_string();
  EXPECT_EQ(refusal_with("/format", 2), "'format' is 2; valid: 1");
  EXPECT_TRUE(contains(refusal_with("/name", 1), "'name' must be a text"));
  for (const ordered_json& bad : {ordered_json(-1), ordered_json("5"), ordered_json(1e10)}) {
    EXPECT_TRUE(contains(refusal_with("/costs/wake_ns", bad), "'wake_ns' must be a number from 0"));
  }
  EXPECT_TRUE(contains(refusal_with("/costs/pause_ns", 0), "'pause_ns' must be greater than 0"));
  EXPECT_TRUE(contains(refusal_with("/costs/jitter", 3), "'jitter' must be a number from 0 to 2"));
  EXPECT_TRUE(contains(refusal_with("/schedulers/work-stealing/fork_ns", nullptr), "'fork_ns'"));
  EXPECT_TRUE(contains(refusal_with(first_unit + "/schedulers/work-stealing/spawn_ns", -1e10),
                       "'spawn_ns' must be a number from -1"));
  EXPECT_TRUE(contains(refusal_with("/work", 5), "'work' must be a list"));
  EXPECT_TRUE(contains(refusal_with(first_unit + "/parameters/tree", 1), "'tree' must be a text"));
  EXPECT_TRUE(contains(refusal_with("/costs", 1), "not an object"));
  EXPECT_EQ(refusal_of(ordered_json::array()), "not an object");
}

TEST(Profile, APriceIsThatOfTheInstanceOrOfAnotherOneOfItsWorkload) {
  const profile some = sample();
  EXPECT_EQ(price_of(some, "uts", {{"tree", "T3"}}).ns, 60);
  EXPECT_EQ(price_of(some, "uts", {{"tree", "T1L"}}).ns, 58);
  EXPECT_EQ(price_of(some, "uts", {}).parameters.at("tree"), "T1");
  EXPECT_TRUE(contains(message_of([&] { static_cast<void>(price_of(some, "nqueens", {})); }),
                       "sample has no price of a unit of nqueens"));
}

TEST(Profile, APriceIsThatOfTheNearestInstance) {
  profile some = sample();
  using values = std::map<std::string, std::string>;
  some.work = {{.workload = "other", .parameters = {{"n", "100"}}, .ns = 1},
               {.workload = "w", .parameters = {{"kind", "a"}, {"n", "10"}}, .ns = 2},
               {.workload = "w", .parameters = {{"kind", "a"}, {"n", "1000"}}, .ns = 3},
               {.workload = "w", .parameters = {{"kind", "b"}, {"n", "100"}}, .ns = 4},
               {.workload = "w", .parameters = {{"kind", "a"}}, .ns = 5}};
  const auto price = [&](const values& parameters) { return price_of(some, "w", parameters).ns; };
  EXPECT_EQ(price({{"kind", "a"}, {"n", "10"}}), 2);
  EXPECT_EQ(price({{"kind", "a"}, {"n", "99"}}), 2) << "the ratio decides, not the difference";
  EXPECT_EQ(price({{"kind", "a"}, {"n", "101"}}), 3);
  EXPECT_EQ(price({{"kind", "a"}, {"n", "1e300"}}), 3);
  EXPECT_EQ(price({{"kind", "a"}, {"n", "100"}}), 2) << "of equally near ones the first";
  EXPECT_EQ(price({{"kind", "b"}, {"n", "1"}}), 4) << "a word is farther than any number";
  EXPECT_EQ(price({{"kind", "a"}}), 5);
  EXPECT_EQ(price({{"kind", "a"}, {"n", "0"}}), 2) << "0 has no logarithm";
  EXPECT_EQ(price({{"kind", "c"}, {"n", "100x"}}), 2) << "no number: as far from each";
}

TEST(Profile, PricesOfAStrategyAreThoseOfItsDeque) {
  const profile some = sample();
  const auto fork = [&](const std::string& scheduler) {
    return prices_of(some, scheduler, "fib", {}).fork;
  };
  EXPECT_EQ(fork("work-stealing"), 0.8);
  EXPECT_EQ(fork("work-stealing:deque=chase-lev"), 4);
  EXPECT_EQ(fork("work-stealing:deque=chase-lev:victim=random"), 4);
  EXPECT_EQ(fork("work-stealing:victim=random"), 0.8);
  EXPECT_EQ(fork("work-stealing:deque=locked"), 0.8);
  EXPECT_EQ(fork("central-queue"), 0);
}

TEST(Profile, PricesOfAStrategyAreThoseOfTheWorkloadIfItHasSome) {
  profile some = sample();
  const auto prices = [&](const std::string& scheduler, const std::string& tree) {
    return prices_of(some, scheduler, "uts", {{"tree", tree}});
  };
  EXPECT_EQ(prices("work-stealing:victim=random", "T1").fork, 11);
  EXPECT_EQ(prices("work-stealing", "T1").call, 12);
  EXPECT_EQ(prices("work-stealing", "T1").spawn, 13);
  EXPECT_EQ(prices("work-stealing", "T1").piece, 14);
  EXPECT_EQ(prices("work-stealing", "T3").fork, 11) << "its own instance has none";
  EXPECT_EQ(prices("central-queue", "T1").spawn, 0);
  some.work[1].schedulers["central-queue"].spawn = 15;
  EXPECT_EQ(prices("central-queue", "T1").spawn, 15) << "of any instance";
  EXPECT_EQ(prices_of(some, "central-queue", "fib", {}).spawn, 0) << "of no other workload";
  some.work[1].schedulers["work-stealing"].fork = -0.5;
  EXPECT_EQ(prices("work-stealing", "T3").fork, -0.5) << "of the nearest";
  EXPECT_EQ(prices("work-stealing", "T1").fork, 11);
}

TEST(Profile, ACostIsVariedByAFactor) {
  costs some = sample().costs;
  vary(some, "transfer", 2);
  vary(some, "wake", 0.5);
  vary(some, "jitter", 0);
  EXPECT_EQ(some.transfer, 180);
  EXPECT_EQ(some.remote_transfer, 360);
  EXPECT_EQ(some.wake, 4900);
  EXPECT_EQ(some.jitter, 0);
  EXPECT_EQ(some.rmw, 5);
  some.jitter = 0.5;
  vary(some, "jitter", 4);
  EXPECT_EQ(some.jitter, 2) << "a transfer may take no time, but not less";
  EXPECT_TRUE(contains(message_of([&] { vary(some, "jitter", 1.01); }), "must be from 0 to 2"));
  EXPECT_TRUE(contains(message_of([&] { vary(some, "rmw", 2); }),
                       "unknown cost 'rmw'; valid: transfer, wake, jitter"));
}

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class ProfileFile : public system::scratch_folder {
 protected:
  [[nodiscard]] std::filesystem::path file(const std::string& name) const {
    return folder() / (name + ".json");
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(file(name)) << text;
  }
  [[nodiscard]] std::string refusal(const std::string& name) const {
    return message_of([&] { static_cast<void>(read_profile(file(name))); });
  }

  /// Has only what its base lacks, and one cost of its own.
  [[nodiscard]] static ordered_json derived() {
    return {{"format", 1},
            {"name", "derived"},
            {"based_on", "sample"},
            {"costs", {{"remote_transfer_ns", 108}, {"transfer_ns", 51}}}};
  }
};

TEST_F(ProfileFile, ThatIsNoProfileIsRefusedByItsName) {
  EXPECT_TRUE(contains(refusal("none"), "cannot read the profile"));
  EXPECT_TRUE(contains(refusal("none"), file("none").string()));
  write("torn", written().dump().substr(0, 100));
  EXPECT_TRUE(contains(refusal("torn"), file("torn").string() + " is not a profile: not JSON"));
  write("other", R"({"format":1})");
  EXPECT_TRUE(contains(refusal("other"), "'name' is missing; valid: a file that `stealbench"));
  write("deep", std::string(17, '[') + std::string(17, ']'));
  EXPECT_TRUE(contains(refusal("deep"), "nested too deeply"));
  write("large", written().dump() + std::string(1 << 20, ' '));
  EXPECT_TRUE(contains(refusal("large"), "it is larger than 1 MiB"));
}

TEST_F(ProfileFile, TakesFromItsBaseWhatItLacksAndKeepsWhatItHasItself) {
  write("sample-2", written().dump());
  ordered_json own = derived();
  own["based_on"] = "sample-2";
  write("derived", own.dump());
  const profile read = read_profile(file("derived"));
  EXPECT_EQ(read.name, "derived");
  EXPECT_EQ(read.costs.transfer, 51);
  EXPECT_EQ(read.costs.remote_transfer, 108);
  EXPECT_EQ(read.costs.rmw, 5);
  EXPECT_EQ(price_of(read, "fib", {}).ns, 1.3);
  EXPECT_EQ(prices_of(read, "work-stealing", "fib", {}).spawn, 2.5);
  own["schedulers"] = ordered_json::object();
  own["work"] = ordered_json::array();
  write("derived", own.dump());
  EXPECT_TRUE(read_profile(file("derived")).strategies.empty());
  EXPECT_TRUE(read_profile(file("derived")).work.empty());
  own.erase("costs");
  write("derived", own.dump());
  EXPECT_EQ(read_profile(file("derived")).costs.transfer, 90);
  own["costs"] = 1;
  write("derived", own.dump());
  EXPECT_TRUE(contains(refusal("derived"), "derived.json is not a profile: not an object"));
}

TEST_F(ProfileFile, ABaseIsAWholeProfileInTheSameFolder) {
  ordered_json read = derived();
  write("derived", read.dump());
  EXPECT_TRUE(contains(refusal("derived"), "cannot read the profile " + file("sample").string()));
  write("sample", "[]");
  EXPECT_TRUE(contains(refusal("derived"), "the one that it is based on is not an object"));
  write("sample", read.dump());
  EXPECT_TRUE(contains(refusal("derived"), "is itself based on another one"));
  for (const ordered_json& bad : {ordered_json("../sample"), ordered_json(""), ordered_json(1)}) {
    read["based_on"] = bad;
    write("derived", read.dump());
    EXPECT_TRUE(contains(refusal("derived"), "'based_on' must be the name of a profile in the"));
  }
}

}  // namespace
}  // namespace stealbench::virtual_machine
