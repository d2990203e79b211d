#include "bench/driver/calibration/prices.hpp"

#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "bench/cell/self_description.hpp"
#include "bench/driver/calibration/fixture.hpp"
#include "bench/driver/end_to_end/planted_fixture.hpp"
#include "results/system/scratch_folder_fixture.hpp"

namespace stealbench::calibration {
namespace {

using end_to_end::taking;
using virtual_machine::strategy_prices;

dataset::instance instance_of(const std::string& workload, const std::string& n = "5") {
  return {workload, {{"n", n}}};
}

void expect_prices(const strategy_prices& found, const strategy_prices& expected) {
  EXPECT_NEAR(found.fork, expected.fork, 1e-6);
  EXPECT_NEAR(found.call, expected.call, 1e-6);
  EXPECT_NEAR(found.spawn, expected.spawn, 1e-6);
  EXPECT_NEAR(found.piece, expected.piece, 1e-6);
}

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Prices : public system::scratch_folder {
 protected:
  /// `times` are branches on all arguments, such as `*fib*) ns=3000 ;;`.
  void plant_measured(const std::string& name, const std::string& times) const {
    plant(name, "case \"$*\" in *'--workers 1 '*) ;; *) exit 4 ;; esac\ncase \"$*\" in\n" + times +
                    "\nesac\n" + taking("ns"));
  }

  [[nodiscard]] pricing_runs pricing() {
    return {profile, folder() / "stealbench-sequential", queue, runner};
  }

  void add_unit_price(const dataset::instance& what) {
    profile.work.push_back({.workload = what.workload,
                            .parameters = {what.parameters.begin(), what.parameters.end()},
                            .ns = 1});
    profile.work.back().schedulers["another"] = {.fork = 1, .call = 2, .spawn = 3, .piece = 4};
  }

  virtual_machine::profile profile{.name = "here",
                                   .processor = "Z80",
                                   .date = "",
                                   .source = "",
                                   .is_measured = true,
                                   .costs = {},
                                   .strategies = {{"another", {.fork = 5}}},
                                   .work = {},
                                   .validated = {}};
  strategy queue{"queue", folder() / "stealbench-queue", folder() / "simulated"};
  system::process_runner runner;
};

// The third deque is simulated alone.
TEST_F(Prices, AreOfEachSchedulerAndOfEachOfItsDequesByItsOwnExecutables) {
  const cell::self_description described{
      .scheduler = "work-stealing",
      .settings = {{.name = "victim", .meaning = "", .values = {{"random"}, {"last"}}},
                   {.name = "deque", .meaning = "", .values = {{"a"}, {"b"}, {"c"}, {"d"}}}},
      .counters = {}};
  plant("stealbench-work-stealing",
        "cat <<'JSON'\n" + nlohmann::json(described).dump() + "\nJSON\n");
  for (const std::string deque : {"", ".b", ".c", ".d"}) {
    plant("stealbench-simulated-work-stealing" + deque, "");
  }
  for (const std::string deque : {".b", ".d"}) plant("stealbench-work-stealing" + deque, "");
  std::vector<std::string> found;
  for (const strategy& each : strategies_in(rounds::installation(folder()))) {
    found.push_back(each.scheduler + " " + each.measured.filename().string() + " " +
                    each.simulated.filename().string());
  }
  EXPECT_EQ(
      found,
      (std::vector<std::string>{
          "work-stealing stealbench-work-stealing stealbench-simulated-work-stealing",
          "work-stealing:deque=b stealbench-work-stealing stealbench-simulated-work-stealing.b",
          "work-stealing:deque=d stealbench-work-stealing stealbench-simulated-work-stealing.d"}));
}

TEST_F(Prices, ComeWithTheNamesOfTheMachineAndOfTheBuild) {
  virtual_machine::costs costs;
  costs.pause = 1;
  auto said = json_of(costs);
  said.update(
      {{"processor", "Z80"}, {"processors", "3"}, {"commit", "abc"}, {"compiler", "GCC 1"}});
  plant("stealbench-sequential", "cat <<'JSON'\n" + said.dump() + "\nJSON\n");
  const virtual_machine::profile found =
      measure_machine(folder() / "stealbench-sequential", runner);
  EXPECT_EQ(found.processor, "Z80, 3 processors");
  EXPECT_TRUE(found.source.starts_with(
      "Measured by `stealbench calibrate` (commit abc, GCC 1). Not measured: "))
      << found.source;
}

// Each is measured and simulated as itself, and has its own price.
TEST_F(Prices, OfAnotherDequeAreItsOwn) {
  plant("simulated", simulating("*) fork=10 ;;"));
  plant("simulated.b", simulating("*) fork=20 ;;"));
  plant("stealbench-queue",
        "case \"$*\" in *deque=b*) ns=9000 ;; *) ns=3000 ;; esac\n" + taking("ns"));
  const priced_by runs{instance_of("fib"), instance_of("fib"), instance_of("fib")};
  pricing().add_strategy(queue, runs);
  static_cast<void>(pricing().add_strategy(
      {"queue:deque=b", folder() / "stealbench-queue", folder() / "simulated.b"}, runs));
  expect_prices(profile.strategies.at("queue"), {.fork = 200, .call = 200});
  expect_prices(profile.strategies.at("queue:deque=b"), {.fork = 400, .call = 400});
}

TEST_F(Prices, OfAUnitIsTheSequentialTimeOverTheUnits) {
  plant_measured("stealbench-sequential", "*fib*) ns=1000 ;; *uts*) ns=3000 ;;");
  plant("simulated", simulating("fib) units=100 fork=7 ;; uts) units=400 fork=7 ;; *) units=0 ;;"));
  pricing_runs prices = pricing();
  prices.add_unit(instance_of("fib"));
  prices.add_unit(instance_of("uts"));
  ASSERT_EQ(profile.work.size(), 2U);
  EXPECT_EQ(profile.work[0].workload, "fib");
  EXPECT_EQ(profile.work[0].parameters.at("n"), "5");
  EXPECT_NEAR(profile.work[0].ns, 10, 1e-9);
  EXPECT_NEAR(profile.work[1].ns, 7.5, 1e-9);
  plant_measured("stealbench-sequential", "*) ns=1000 ;;");
  EXPECT_THROW(prices.add_unit(instance_of("bpc")), std::runtime_error) << "no unit was counted";
}

// Each price by what its run takes beyond the simulation and beyond the charges that have a price.
TEST_F(Prices, OfASchedulerAreWhatItsRunsTakeBeyondTheSimulation) {
  plant("simulated", simulating("fib) fork=6 call=4 ;; uts) fork=2 call=3 spawn=20 ;;"
                                "empty_loop) fork=5 call=1 spawn=4 piece=8 ;;"));
  plant_measured("stealbench-queue", "*fib*) ns=3000 ;; *uts*) ns=4000 ;; *) ns=3600 ;;");
  pricing().add_strategy(queue,
                         {instance_of("fib"), instance_of("uts"), instance_of("empty_loop")});
  expect_prices(profile.strategies.at("queue"),
                {.fork = 200, .call = 200, .spawn = 100, .piece = 125});
  expect_prices(profile.strategies.at("another"), {.fork = 5});
}

// Of the kind that was charged most often; the others keep the scheduler's price. Below 0 where the
// simulation takes longer than the measured run.
TEST_F(Prices, OfTheTasksOfAWorkloadAreThoseOfItsFirstInstanceWithTheSameWords) {
  for (const char* const each : {"fib", "nqueens", "primes", "integrate", "bpc"}) {
    add_unit_price(instance_of(each));
  }
  add_unit_price(instance_of("nqueens", "6"));
  add_unit_price({"chain", {{"links", "5"}}});
  add_unit_price({"chain", {{"links", "5"}, {"form", "fork"}}});
  add_unit_price({"chain", {{"links", "7"}, {"form", "fork"}}});
  plant("simulated", simulating("fib) fork=10 ;; uts) spawn=20 ;; empty_loop) piece=8 ;;"
                                "nqueens|chain) fork=3 call=2 spawn=20 piece=4 ;;"
                                "primes) fork=4 call=1 spawn=4 piece=20 ;;"
                                "integrate) fork=12 call=8 spawn=3 ;;"
                                "bpc) spawn=20 ;;"));
  plant_measured(
      "stealbench-queue",
      "*fib*|*uts*) ns=3000 ;; *empty_loop*) ns=2000 ;; *links=5*form=fork*) ns=6500 ;;"
      "*nqueens*|*chain*) ns=5500 ;; *primes*) ns=3400 ;; *integrate*) ns=1500 ;; *) ns=800 ;;");
  pricing().add_strategy(queue,
                         {instance_of("fib"), instance_of("uts"), instance_of("empty_loop")});
  const auto own = [&](std::size_t at) { return profile.work[at].schedulers.at("queue"); };
  EXPECT_FALSE(profile.work[0].schedulers.contains("queue")) << "the scheduler's are those of fib";
  expect_prices(own(1), {.fork = 200, .call = 200, .spawn = 150, .piece = 125});
  expect_prices(own(2), {.fork = 200, .call = 200, .spawn = 100, .piece = 50});
  expect_prices(own(3), {.fork = 10, .call = 10, .spawn = 100, .piece = 125});
  expect_prices(own(4), {.fork = 200, .call = 200, .spawn = -10, .piece = 125});
  EXPECT_FALSE(profile.work[5].schedulers.contains("queue")) << "another number";
  expect_prices(own(6), {.fork = 200, .call = 200, .spawn = 150, .piece = 125});
  expect_prices(own(7), {.fork = 200, .call = 200, .spawn = 200, .piece = 125});
  EXPECT_FALSE(profile.work[8].schedulers.contains("queue")) << "another number";
}

TEST_F(Prices, OfTasksThatTakeMoreThanAHundredNanosecondsAreTheSchedulers) {
  add_unit_price(instance_of("nqueens"));
  add_unit_price(instance_of("skynet"));
  // 30 charges, of which 10 are forks and calls.
  plant("simulated", simulating("fib) fork=10 ;; uts) spawn=20 ;; empty_loop) piece=8 ;;"
                                "nqueens) ns=2900 fork=5 call=5 spawn=10 piece=10 ;;"
                                "skynet) ns=3100 fork=5 call=5 spawn=10 piece=10 ;;"));
  plant_measured("stealbench-queue",
                 "*fib*|*uts*) ns=3000 ;; *empty_loop*) ns=2000 ;; *) ns=5850 ;;");
  pricing().add_strategy(queue,
                         {instance_of("fib"), instance_of("uts"), instance_of("empty_loop")});
  expect_prices(profile.work[0].schedulers.at("queue"),
                {.fork = 70, .call = 70, .spawn = 100, .piece = 125});
  EXPECT_FALSE(profile.work[1].schedulers.contains("queue"));
}

TEST_F(Prices, ComeFromTheLeastOfTheProcesses) {
  plant("stealbench-queue", taking("round == 1 ? 300 : round == 2 ? 100 : 200"));
  const rounds::target fib{.which = {instance_of("fib"), "queue", 1}, .executable = queue.measured};
  EXPECT_NEAR(measure_seconds(fib, runner), 100e-9, 1e-15);
}

TEST_F(Prices, NeedChargesThatAreNumbers) {
  plant("simulated", simulating("*) spawn=-1 ;;"));
  const rounds::target fib{.which = {instance_of("fib"), "queue", 1},
                           .executable = queue.simulated};
  try {
    static_cast<void>(simulate(fib, {}, runner));
    ADD_FAILURE() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(
        error.what(),
        "simulation of fib/queue/n:5/workers:1: unreadable output: 'spawn' is not a number "
        "from 0");
  }
}

TEST_F(Prices, OfATransferAreThoseOfAHandOverBetweenTwoWorkers) {
  plant("stealbench-sequential",
        "case \"$*\" in '--metric steal --size none --workers 2 '*) ;; *) exit 1 ;; esac\n" +
            taking("84"));
  EXPECT_NEAR(measure_transfer(folder() / "stealbench-sequential", runner), 42, 1e-9);
}

}  // namespace
}  // namespace stealbench::calibration
