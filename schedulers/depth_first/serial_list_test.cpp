// The list of a depth-first schedule against a program whose serial order is known.
#include "schedulers/depth_first/serial_list.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/engine/std_machine.hpp"

namespace stealbench::depth_first {
namespace {

/// A fiber or a branch. Its key is its place in the serial order: a path of choices, compared word
/// by word.
struct node : list_links<node, engine::std_machine> {
  void (*execute)() = nullptr;  // Not null for a branch.
  std::vector<int> key;
};

using list = serial_list<node, engine::std_machine>;

/// Workers that run fibers which fork and spawn at random, and take what is first. Fibers are
/// never joined: they end, and what they have left goes on by itself.
class schedule {
 public:
  explicit schedule(unsigned seed) : random_(seed) {
    running_.push_back(make({}));  // The root.
  }

  void step() {
    if (running_.empty()) return take();
    const std::size_t which = random_() % running_.size();
    node& self = *running_[which];
    switch (random_() % 4) {
      case 0:
        return fork(self);
      case 1:
        return spawn(which);
      case 2:
        return take();
      default:
        return end(which);
    }
  }

 private:
  node* make(std::vector<int> key) {
    nodes_.push_back(std::make_unique<node>());
    nodes_.back()->key = std::move(key);
    return nodes_.back().get();
  }

  static std::vector<int> below(const std::vector<int>& key, int choice) {
    std::vector<int> longer = key;
    longer.push_back(choice);
    return longer;
  }

  void fork(node& self) {
    node* const second = make(below(self.key, 1));
    second->execute = [] {};
    list_.push_behind(self, *second, 0);
    self.key.push_back(0);
    ready_.push_back(second);
  }

  void spawn(std::size_t which) {
    node* const spawner = running_[which];
    node* const child = make(below(spawner->key, 0));
    list_.push_before(*spawner, *child, 0);
    spawner->key.push_back(1);
    running_[which] = child;
    ready_.push_back(spawner);
  }

  void take() {
    node* const spare = make({});
    stage before = stage::absent;
    node* const found = list_.take(*spare, before);
    node* first = nullptr;
    for (node* each : ready_) {
      if (first == nullptr || each->key < first->key) first = each;
    }
    ASSERT_EQ(found, first) << "of " << ready_.size();
    if (found == nullptr) return;
    EXPECT_EQ(before, stage::ready);
    std::erase(ready_, found);
    if (found->execute != nullptr) {
      spare->key = found->key;
      running_.push_back(spare);
    } else {
      running_.push_back(found);
    }
  }

  void end(std::size_t which) {
    if (ready_.empty()) return;  // Lest the program ends.
    list_.end(*running_[which], nullptr);
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(which));
  }

  std::mt19937 random_;
  list list_;
  std::vector<std::unique_ptr<node>> nodes_;
  std::vector<node*> running_;
  std::vector<node*> ready_;
};

TEST(SerialList, GivesWhatIsFirstInTheSerialOrder) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    schedule random_steps(seed);
    for (int i = 0; i < 300; ++i) {
      random_steps.step();
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(SerialList, GivesABranchBackOnlyIfItIsTheFirstThatIsReady) {
  list all;
  node root;
  node outer;
  node inner;
  outer.execute = inner.execute = [] {};
  all.push_behind(root, outer, 0);
  all.push_behind(root, inner, 0);
  EXPECT_FALSE(all.take_back(outer));
  EXPECT_TRUE(all.take_back(inner));
  EXPECT_FALSE(all.take_back(inner));
  EXPECT_TRUE(all.take_back(outer));
  EXPECT_TRUE(all.looks_empty());
}

TEST(SerialList, GivesASpawnerBackToTheChildThatItWasLeftForAlone) {
  list all;
  node root;
  node elder;
  node younger;
  node spare;
  const std::uint32_t before_elder = root.thefts.read();
  all.push_before(root, elder, 0);
  stage as = stage::absent;
  EXPECT_EQ(all.take(spare, as), &root);
  const std::uint32_t before_younger = root.thefts.read();
  all.push_before(root, younger, 1);
  EXPECT_FALSE(all.take_back(root, before_elder));
  EXPECT_TRUE(all.take_back(root, before_younger));
}

TEST(SerialList, PutsAFiberThatGoesOnInThePlaceOfWhatItWaitedFor) {
  list all;
  node root;
  node outer;
  node inner;
  node thief;
  outer.execute = inner.execute = [] {};
  all.push_behind(root, outer, 0);
  all.push_behind(root, inner, 0);
  stage as = stage::absent;
  EXPECT_EQ(all.take(thief, as), &inner);  // The root waits for it, and has nothing else to do.
  node sooner;
  sooner.execute = [] {};
  all.push_behind(root, sooner, 0);  // Comes before the thief.
  all.end(thief, &root);
  EXPECT_FALSE(all.comes_first(root, 0));
  node other;
  node last;
  EXPECT_EQ(all.take(other, as), &sooner);
  EXPECT_EQ(all.take(other, as), &root);
  EXPECT_EQ(as, stage::resumed);
  EXPECT_EQ(all.take(last, as), &outer);
}

}  // namespace
}  // namespace stealbench::depth_first
