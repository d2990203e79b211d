#include "workloads/recursive/health/health.hpp"

#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/kit/counting_worker.hpp"
#include "workloads/prepared_fixture.hpp"

namespace stealbench::health {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

TEST(Health, HasThePublishedCensusOfTheTestInput) {
  workload::input in = prepared({{"levels", "3"}, {"cities", "18"}});
  const workload::output out = workload::run(serial::worker{}, in);
  const census found = in.people.count();
  EXPECT_EQ(found.population, 7280u);
  EXPECT_EQ(found.hospitals, 343u);
  EXPECT_EQ(found.check_ins, 5531u);
  EXPECT_EQ(found.healthy, 7160u);
  EXPECT_EQ(found.waiting, 80u);
  EXPECT_EQ(found.assessed, 26u);
  EXPECT_EQ(found.treated, 14u);
  EXPECT_NEAR(static_cast<double>(found.stay) / 7280, 5.259341, 1e-6);
  const nlohmann::ordered_json answer = workload::answer(in, out);
  EXPECT_EQ(answer["stay"], found.stay);
  EXPECT_TRUE(answer.dump().starts_with(
      R"({"population":7280,"hospitals":343,"check_ins":5531,"healthy":7160,)"
      R"("waiting":80,"assessed":26,"treated":14,)"))
      << answer;
  EXPECT_EQ(workload::verify(in, out), true);
}

TEST(Health, NoticesAStepThatOneLeafVillageLost) {
  for (const char* steps : {"365", "20"}) {  // With the published census, and with our own.
    workload::input in = prepared({{"levels", "3"}, {"cities", "18"}, {"steps", steps}});
    const workload::output out = workload::run(serial::worker{}, in);
    ASSERT_EQ(workload::verify(in, out), true);
    workload::reset(in);
    const std::uint64_t leaf = 342;
    workload::run(serial::worker{}, in);
    admit(in.people.at(leaf), {});
    EXPECT_EQ(workload::verify(in, out), false) << steps;
  }
}

TEST(PatientList, LosesNobodyWhoeverLeaves) {
  std::vector<patient> people(3);
  for (std::size_t leaving = 0; leaving < 3; ++leaving) {
    patient_list list;
    for (patient& each : people) list.append(each);
    list.remove(people[leaving]);
    list.append(people[leaving]);
    std::size_t length = 0;
    const patient* last = nullptr;
    for (const patient* each = list.first(); each != nullptr; each = each->next) {
      ++length;
      last = each;
    }
    EXPECT_EQ(length, 3u) << leaving;
    EXPECT_EQ(last, &people[leaving]);
  }
}

}  // namespace
}  // namespace stealbench::health
