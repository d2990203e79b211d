#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bench/cell/self_description.hpp"
#include "bench/driver/experiments/options.hpp"
#include "bench/driver/rounds/installation.hpp"
#include "results/system/scratch_folder_fixture.hpp"

namespace stealbench::experiments {
namespace {

using texts = std::vector<std::string>;

/// Schedulers that say what the test lets them say of themselves.
// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Ablation : public system::scratch_folder {
 protected:
  void plant_described(const std::string& scheduler, const std::string& compared_with,
                       const std::vector<schedulers::setting>& settings = {}) const {
    cell::self_description described{.scheduler = scheduler, .settings = settings, .counters = {}};
    described.about.compared_with = compared_with;
    plant("stealbench-" + scheduler,
          "cat <<'JSON'\n" + nlohmann::json(described).dump() + "\nJSON");
  }

  /// `factor: variant / against`.
  [[nodiscard]] texts contrasts_of(const texts& schedulers) const {
    texts found;
    for (const contrast& each : contrasts_among(schedulers, rounds::installation(folder()))) {
      found.push_back(each.factor + ": " + each.variant + " / " + each.against);
    }
    return found;
  }
};

TEST_F(Ablation, ComparesASchedulerWithTheOneThatItNamesOrWithWorkStealing) {
  plant_described("work-stealing", "central-queue");
  plant_described("central-queue", "");
  plant_described("busy-leaves", "central-queue");
  EXPECT_EQ(contrasts_of({"work-stealing", "central-queue", "busy-leaves"}),
            (texts{"scheduler: central-queue / work-stealing",
                   "scheduler: busy-leaves / central-queue"}));
  EXPECT_EQ(contrasts_of({"work-stealing", "busy-leaves"}), texts{})
      << "what it is compared with is not among them";
}

TEST_F(Ablation, ComparesEachValueWithTheDefaultBothWithWhatTheValueRequires) {
  const schedulers::setting idle{"idle", "", {{"sleep", {}}, {"spin", {}}, {"yield", {}}}};
  const schedulers::setting join{
      "join", "", {{"any", {}}, {"own", {}}}, {{"own", "idle", {"spin"}, "a reason"}}};
  plant_described("work-stealing", "", {idle, join});
  plant_described("central-queue", "work-stealing:idle=spin");
  EXPECT_EQ(
      contrasts_of({"work-stealing", "central-queue"}),
      (texts{"scheduler: central-queue / work-stealing:idle=spin",
             "work-stealing:idle: work-stealing:idle=spin / work-stealing",
             "work-stealing:idle: work-stealing:idle=yield / work-stealing",
             "work-stealing:join: work-stealing:idle=spin:join=own / work-stealing:idle=spin"}));
}

TEST(StrategiesInAnAblation, AreThoseOfBothSidesOnce) {
  EXPECT_EQ(strategies_in({{"a", "b", "c"}, {"d", "e", "c"}, {"f", "b", "e"}}),
            (texts{"c", "b", "e"}));
}

}  // namespace
}  // namespace stealbench::experiments
