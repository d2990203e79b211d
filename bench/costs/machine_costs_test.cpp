// The costs of a machine: of the real one that they are some, and exactly of one whose every
// operation takes the time that the test says.
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "bench/costs/figures.hpp"
#include "bench/costs/machine_timing.hpp"
#include "bench/costs/partner_fixture.hpp"
#include "bench/costs/raw.hpp"
#include "bench/costs/times.hpp"
#include "bench/system/fake_time_fixture.hpp"
#include "schedulers/operating_system/thread.hpp"
#include "schedulers/options.hpp"
#include "schedulers/virtual_machine/profile.hpp"

namespace stealbench::costs {
namespace {

using namespace std::chrono_literals;
using system::fake_time;

TEST(MachineCosts, AreThoseOfSomeMachine) {
  if (operating_system::processor_count() < 2) GTEST_SKIP() << "needs two processors";
  virtual_machine::costs measured;
  try {
    measured = measure_machine();
  } catch (const std::runtime_error& error) {  // It has to say so where others use the processors.
    EXPECT_NE(std::string(error.what()).find("the second processor is busy"), std::string::npos);
    GTEST_SKIP() << error.what();
  }
  const nlohmann::ordered_json all = json_of(measured);
  EXPECT_EQ(json_of(virtual_machine::costs_of(all)), all) << "a profile can have them";
  for (const auto& [key, value] : all.items()) {
    EXPECT_TRUE(std::isfinite(value.get<double>())) << key;
    const bool is_remainder = key == "look_ns" || key == "interrupt_ns";
    const bool is_count = key == "processors_per_socket";
    EXPECT_TRUE(value > 0 || is_remainder || is_count) << key;
  }
  EXPECT_EQ(measured.remote_transfer, measured.transfer);
}

TEST(MachineCosts, HaveASystemCallThatTheKernelRefusesAtOnce) {
  errno = 0;
  real_machine::refused_wait();
  EXPECT_EQ(errno, EAGAIN);
}

constexpr auto per_reading = 40ns;

TEST(MachineCosts, AreNotThoseOfTheFirstOrLastRuns) {
  const fake_time time(per_reading);
  const double found = time_one([] {
    const auto passed = fake_time::passed();
    fake_time::pass(passed < 10ms ? 200ns : passed < 150ms ? 100ns : 300ns);
  });
  EXPECT_NEAR(found, 100, 1e-6);
}

/// Counts one in each 4 ns of the time that passes, less what interrupts it; in some windows, or in
/// nearly all, not at all. A window is two measurements, the quiet one first.
class fake_counter {
 public:
  enum class loses { nothing, quiet_parts, noisy_parts, nearly_all };
  // NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): templates make the counter
  static inline loses lost = loses::nothing;
  static inline std::chrono::nanoseconds per_interrupt{};
  static inline std::chrono::nanoseconds interrupted{};
  static inline std::uint64_t calls = 0;
  // NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

  fake_counter() { calls = 0; }
  [[nodiscard]] std::uint64_t count() const {
    const std::uint64_t window = calls / 4;
    const bool is_quiet = calls++ % 4 < 2;
    const bool may_be_lost =
        lost == loses::nearly_all || lost == (is_quiet ? loses::quiet_parts : loses::noisy_parts);
    if (may_be_lost && (lost == loses::nearly_all ? window % 500 != 0 : window % 5 < 3)) return 1;
    return static_cast<std::uint64_t>((fake_time::passed() - interrupted).count()) / 4 + 1;
  }
};

struct fake_machine : engine::std_machine {
  template <class T>
  class atomic {
   public:
    [[nodiscard]] T load(engine::order /*order*/) const {
      pass_with_outliers(20ns);
      return value_;
    }
    void store(T value, engine::order /*order*/) {
      pass_with_outliers(60ns);
      value_ = value;
    }

   private:
    T value_{};
  };
  class mutex {
   public:
    static void lock() { pass_with_outliers(130ns); }
    static void unlock() { pass_with_outliers(50ns); }
  };
  class thread {
   public:
    thread(std::size_t stack_bytes, std::optional<unsigned> processor,
           const std::function<void()>& body) {
      EXPECT_EQ(stack_bytes, schedulers::default_stack_bytes);
      EXPECT_EQ(processor, std::nullopt);
      fake_time::pass(with_outliers(15us, ++threads_started));
      body();
    }
    thread(const thread&) = delete;
    thread& operator=(const thread&) = delete;
    ~thread() { fake_time::pass(90us); }

   private:
    static inline std::uint64_t threads_started = 0;
  };
  using partner = fake_partner;
  using counter = fake_counter;

  static void fence(engine::order order) {
    pass_with_outliers(order == engine::order::seq_cst ? 70ns : 700ns);
  }
  static void spin() { pass_with_outliers(64ns); }
  /// Most of the time another thread takes its turn.
  static void yield_thread() {
    fake_time::pass(fake_time::passed() % 40ms < 30ms ? 165ns : 110ns);
    fake_partner::yield_thread();
  }
  static void refused_wait() { pass_with_outliers(160ns); }
  static void heavy_fence() {
    const std::uint64_t window = fake_counter::calls / 4;
    fake_time::pass(with_outliers(4400ns, window));
    fake_counter::interrupted += with_outliers(fake_counter::per_interrupt, window + 3);
  }
  static void charge(engine::cost what) {
    if (what == engine::cost::look) pass_with_outliers(140ns);
  }
};

/// Sets what the fakes do, and forgets what they have noted.
// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class CostsOfAFakeMachine : public testing::Test {
 protected:
  void SetUp() override {
    if (operating_system::processor_count() < 2) GTEST_SKIP() << "needs two processors";
    fake_partner::noted = {};
    fake_counter::lost = fake_counter::loses::nothing;
    fake_counter::per_interrupt = 600ns;
    fake_counter::interrupted = 0ns;
  }
};

// Of a barrier: a hundred of them are timed by one pair of readings.
constexpr double of_readings = 1;

TEST_F(CostsOfAFakeMachine, AreThoseOfItsOperations) {
  const fake_time time(per_reading);
  fake_partner::noted.awake_of_seven = 2;
  const virtual_machine::costs found = measure_costs<fake_machine>();
  constexpr double rounding = 1e-6;
  EXPECT_NEAR(found.hit, 40, rounding) << "the mean of a load and a store";
  EXPECT_NEAR(found.rmw, 90, rounding) << "half of locking and unlocking";
  EXPECT_NEAR(found.fence, 70, rounding);
  EXPECT_NEAR(found.transfer, 50, rounding) << "a quarter of a round trip";
  EXPECT_EQ(found.remote_transfer, found.transfer);
  EXPECT_EQ(found.processors_per_socket, 0U);
  EXPECT_EQ(found.shared_gap, 5);
  EXPECT_NEAR(found.look, 140 + 2 * 20 - 2 * 40, rounding) << "beside its two loads";
  EXPECT_NEAR(found.pause, 64, rounding);
  EXPECT_NEAR(found.yield, 110, rounding) << "the least";
  EXPECT_NEAR(found.system_call, 160, rounding);
  EXPECT_NEAR(found.sleep, 1400, rounding);
  EXPECT_NEAR(found.wake_call, 2600, rounding);
  EXPECT_NEAR(found.wake, 7200, rounding);
  EXPECT_NEAR(found.membarrier, 4400, of_readings);
  EXPECT_NEAR(found.interrupt, 600, of_readings);
  EXPECT_NEAR(found.thread_start, 15000, rounding);
  EXPECT_EQ(found.jitter, 0.2);
}

TEST_F(CostsOfAFakeMachine, AreMeasuredOnTheFirstProcessorWithPartnersWhereTheyBelong) {
  const fake_time time(per_reading);
  static_cast<void>(measure_costs<fake_machine>());
  const std::vector<partner_made> expected{
      {wait_by::spinning, 1U, true}, {wait_by::futex, 1U, true}, {wait_by::futex, 0U, true}};
  EXPECT_EQ(fake_partner::noted.partners, expected);
  EXPECT_FALSE(is_pinned_to(0)) << "as before";
  EXPECT_GE(fake_partner::noted.least_idle, 200us) << "before each wake-up";
  EXPECT_LE(fake_partner::noted.least_idle, 201us);
}

TEST_F(CostsOfAFakeMachine, HaveNoWakeUpOfAPartnerThatWasAwake) {
  const fake_time time(per_reading);
  fake_partner::noted.awake_of_seven = 3;  // Two of the four that sleep are no outliers.
  const virtual_machine::costs found = time_wake_ups<fake_machine>();
  EXPECT_DOUBLE_EQ(found.wake_call, 2600);
  EXPECT_DOUBLE_EQ(found.wake, 7200);
  fake_partner::noted.awake_of_seven = 4;
  EXPECT_THROW(static_cast<void>(time_wake_ups<fake_machine>()), std::runtime_error)
      << "most were awake";
}

TEST_F(CostsOfAFakeMachine, LeaveOutTheTimesInWhichTheOtherThreadLostItsProcessor) {
  for (const auto lost : {fake_counter::loses::quiet_parts, fake_counter::loses::noisy_parts}) {
    const fake_time time(per_reading);
    fake_counter::lost = lost;
    fake_counter::interrupted = 0ns;
    const virtual_machine::costs found = time_barriers<fake_machine>();
    EXPECT_NEAR(found.membarrier, 4400, of_readings);
    EXPECT_NEAR(found.interrupt, 600, of_readings);
  }
}

TEST_F(CostsOfAFakeMachine, AreNotKnownWhereTheOtherThreadHardlyEverRuns) {
  const fake_time time(10 * per_reading);
  fake_counter::lost = fake_counter::loses::nearly_all;
  EXPECT_THROW(static_cast<void>(time_barriers<fake_machine>()), std::runtime_error);
  EXPECT_GE(fake_time::passed(), 10s) << "it was tried for so long";
  EXPECT_LE(fake_time::passed(), 11s);
}

TEST_F(CostsOfAFakeMachine, AreNeverBelowZero) {
  const fake_time time(per_reading);
  fake_counter::per_interrupt = -600ns;
  EXPECT_EQ(time_barriers<fake_machine>().interrupt, 0);
  EXPECT_EQ(time_look<fake_machine>(1000), 0);
}

// The raw costs of the figures, of calls and a partner that take the time that the test says.

struct fake_calls {
  using partner = fake_partner;
  static void call() { pass_with_outliers(20ns); }
  template <std::size_t Bytes>
  static void copying_call(const captured<Bytes>& content) {
    pass_with_outliers(std::chrono::nanoseconds(2 * content.size()));
  }
  static void loop(std::size_t indices) { pass_with_outliers(10ns + indices * 6ns); }
};

figure_times raw(std::string_view which, bool pin = false) {
  const fake_time time(30ns);
  fake_partner::noted = {};
  return time_raw<fake_calls>(which, pin);
}

TEST(RawCosts, AreThoseOfPlainCallsAndLoops) {
  const std::pair<std::string_view, double> expected[]{
      {"fork", 40},         {"spawn", 20},        {"spawn_8", 20},    {"spawn_1", 20},
      {"run", 20},          {"capture_8", 16},    {"capture_32", 64}, {"capture_64", 128},
      {"capture_128", 256}, {"capture_256", 512}, {"loop_0", 10},     {"loop_1000", 6.01}};
  for (const auto& [which, ns] : expected) {
    const figure_times times = raw(which);
    EXPECT_NEAR(median_of(times), ns, 1e-6) << which;
    EXPECT_EQ(times.operations_per_run % 1000, 0U) << which;
  }
}

TEST(RawCosts, OfAStealAreTheTwoTransfersOfALine) {
  if (operating_system::processor_count() < 2) GTEST_SKIP() << "needs two processors";
  for (const std::string_view which : {"steal", "steal_0us", "steal_10us"}) {
    EXPECT_NEAR(median_of(raw(which)), 2 * per_transfer.count(), 1e-6);
    const std::vector<partner_made> expected{{wait_by::spinning, 1U, true}};
    EXPECT_EQ(fake_partner::noted.partners, expected);
    EXPECT_FALSE(is_pinned_to(0)) << "as before";
  }
}

TEST(RawCosts, OfAWakeUpAreUntilTheSleeperRunsAndUntilTheWakerGoesOn) {
  for (const bool pin : {false, true}) {
    EXPECT_NEAR(median_of(raw("wake", pin)), per_wake.count(), 1e-6);
    EXPECT_NEAR(median_of(raw("waker", pin)), per_wake_call.count(), 1e-6);
    const std::vector<partner_made> expected{
        {wait_by::futex, pin ? std::optional(1U) : std::nullopt, pin}};
    EXPECT_EQ(fake_partner::noted.partners, expected);
    EXPECT_GE(fake_partner::noted.least_idle, 20ms) << "it sleeps before each";
    EXPECT_LE(fake_partner::noted.least_idle, 21ms);
  }
}

}  // namespace
}  // namespace stealbench::costs
