#include "schedulers/variant.hpp"

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/options.hpp"

namespace stealbench::schedulers {
namespace {

std::string canonical(const std::string& settings) {
  return variant("work-stealing", settings).name_of("work-stealing");
}

/// The message that names like these end in; empty if they are taken.
std::string refusal_of(const std::string& scheduler, const std::string& settings) {
  try {
    static_cast<void>(variant(scheduler, settings));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

void expect_refusal(const std::string& settings, const std::vector<std::string>& parts) {
  const std::string message = refusal_of("work-stealing", settings);
  EXPECT_NE(message, "") << settings;
  for (const std::string& part : parts) {
    EXPECT_NE(message.find(part), std::string::npos) << part << " in\n" << message;
  }
}

TEST(Variant, TheDefaultIsCalledAsItsScheduler) {
  EXPECT_EQ(variant().name_of("serial"), "serial");
  EXPECT_EQ(variant().settings(), "");
  for (const variant_key& key : variant_keys()) {
    EXPECT_EQ(variant().value_of(key.name), key.values.front());
  }
}

TEST(Variant, TheCanonicalFormHasTheKeysInOrder) {
  EXPECT_EQ(canonical("join=leapfrog:idle=spin:victim=last:deque=locked"),
            "work-stealing:deque=locked:victim=last:idle=spin:join=leapfrog");
}

TEST(Variant, TheCanonicalFormLeavesOutWhatEqualsTheDefault) {
  EXPECT_EQ(canonical("deque=split"), "work-stealing");
  EXPECT_EQ(canonical("deque=split:victim=random:idle=park:join=any"), "work-stealing");
  EXPECT_EQ(canonical("idle=park:deque=asymmetric"), "work-stealing:deque=asymmetric");
}

TEST(Variant, EveryValueIsKeptAndReadsItsOwnCanonicalForm) {
  for (const variant_key& key : variant_keys()) {
    for (const std::string_view value : key.values) {
      const std::string text = std::string(key.name) + "=" + std::string(value);
      const variant made("work-stealing", text);
      EXPECT_EQ(made.value_of(key.name), value);
      const bool is_default = value == key.values.front();
      EXPECT_EQ(made.settings(), is_default ? "" : text);
    }
  }
}

TEST(Variant, ItsSettingsGoToTheOptionsAndTheOthersAreLeftAlone) {
  options options{.workers = 3, .pin = true};
  variant("work-stealing", "victim=round-robin:idle=yield:join=leapfrog").apply_to(options);
  EXPECT_EQ(options.victim, victim_choice::round_robin);
  EXPECT_EQ(options.idle, idle_policy::yield);
  EXPECT_EQ(options.join, join_policy::leapfrog);
  EXPECT_EQ(options.workers, 3U);
  EXPECT_TRUE(options.pin);
  variant("work-stealing", "victim=nearest:idle=spin").apply_to(options);
  EXPECT_EQ(options.victim, victim_choice::nearest);
  EXPECT_EQ(options.idle, idle_policy::spin);
  EXPECT_EQ(options.join, join_policy::any);
}

TEST(Variant, WhatItDoesNotKnowIsRefusedWithWhatIsValid) {
  expect_refusal("colour=red", {"'colour'", "deque=split|chase-lev|asymmetric|locked", "join=any"});
  expect_refusal("deque=list", {"deque=list", "split, chase-lev, asymmetric, locked"});
  expect_refusal("idle=", {"idle=", "park, yield, spin"});
  expect_refusal("victim", {"'victim' is no key=value", "victim=random|last|round-robin|nearest"});
  expect_refusal("=last", {"''", "victim="});
  expect_refusal("Deque=locked", {"'Deque'"});
  expect_refusal("deque=locked ", {"deque=locked :", "split"});
  expect_refusal("deque=locked,victim=last", {"deque=locked,victim=last:"});
}

TEST(Variant, AnEmptySettingIsRefused) {
  for (const char* const settings :
       {"", ":", "deque=locked:", ":deque=locked", "deque=locked::idle=spin"}) {
    expect_refusal(settings, {"setting is empty", "deque=split|", "join=any|leapfrog"});
  }
}

TEST(Variant, AKeyIsNamedOnceEvenIfTheValuesAgree) {
  expect_refusal("deque=locked:deque=split", {"deque is set twice", "split|chase-lev"});
  expect_refusal("deque=split:deque=split", {"deque is set twice"});
  expect_refusal("idle=spin:deque=locked:idle=spin", {"idle is set twice", "park|yield|spin"});
}

TEST(Variant, ASchedulerWithoutVariantsTakesNoSettings) {
  EXPECT_TRUE(has_variants("work-stealing"));
  EXPECT_FALSE(has_variants("openmp"));
  const std::string message = refusal_of("openmp", "deque=locked");
  EXPECT_NE(message.find("openmp has no settings"), std::string::npos) << message;
  EXPECT_NE(message.find("work-stealing with deque=split|"), std::string::npos) << message;
}

}  // namespace
}  // namespace stealbench::schedulers
