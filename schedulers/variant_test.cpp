#include "schedulers/variant.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/central_queue/options.hpp"
#include "schedulers/options.hpp"
#include "schedulers/push_migration/options.hpp"
#include "schedulers/settings.hpp"
#include "schedulers/work_sharing/options.hpp"
#include "schedulers/work_stealing/options.hpp"

namespace stealbench::schedulers {
namespace {

variant set(const std::string& typed) {
  return {"work-stealing", settings_of("work-stealing"), typed};
}

std::string canonical(const std::string& typed) { return set(typed).name_of("work-stealing"); }

/// The message that names like these end in; empty if they are taken.
std::string refusal_of(const std::vector<setting>& valid, const std::string& typed) {
  try {
    static_cast<void>(variant("this", valid, typed));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

/// The value of one of the settings, behind what it requires of others whose default does not do.
// NOLINTNEXTLINE(misc-no-recursion): requirements have no cycles
std::string text_with_requirements(const std::vector<setting>& settings, const setting& key,
                                   const std::string& value) {
  std::string text;
  for (const requirement& each : key.requirements) {
    if (each.value != value) continue;
    const auto other =
        std::ranges::find_if(settings, [&](const setting& s) { return s.name == each.other; });
    if (std::ranges::count(each.values, other->standard()) > 0) continue;
    text += text_with_requirements(settings, *other, each.values.front()) + ":";
  }
  return text + key.name + "=" + value;
}

void expect_refusal(const std::string& settings, const std::vector<std::string>& parts) {
  const std::string message = refusal_of(settings_of("work-stealing"), settings);
  EXPECT_NE(message, "") << settings;
  for (const std::string& part : parts) {
    EXPECT_NE(message.find(part), std::string::npos) << part << " in\n" << message;
  }
}

TEST(Variant, TheDefaultIsCalledAsItsScheduler) {
  EXPECT_EQ(variant().name_of("serial"), "serial");
  const variant standard(settings_of("work-stealing"));
  EXPECT_EQ(standard.settings(), "");
  for (const setting& each : settings_of("work-stealing")) {
    EXPECT_EQ(standard.value_of(each.name), each.standard());
  }
}

/// The options of a scheduler whose name is followed by these settings.
options options_for(const char* scheduler, const std::string& typed) {
  const std::vector<setting> valid = settings_of(scheduler);
  options all;
  apply(scheduler, typed.empty() ? variant(valid) : variant(scheduler, valid, typed), all);
  return all;
}

work_stealing::options stealing_of(const options& all) {
  return own_options<work_stealing::options>(all);
}

TEST(Variant, TheDefaultOfEachSchedulerIsThatOfTheOptions) {
  const options untouched;
  for (const char* const name : {"work-stealing", "continuation-stealing", "central-queue",
                                 "work-sharing", "pull-migration", "push-migration", "serial"}) {
    SCOPED_TRACE(name);
    const options options = options_for(name, "");
    EXPECT_EQ(stealing_of(options), work_stealing::options());
    EXPECT_EQ(own_options<central_queue::options>(options).order, central_queue::options().order);
    EXPECT_EQ(own_options<work_sharing::options>(options).place, work_sharing::options().place);
    EXPECT_EQ(own_options<push_migration::options>(options).period,
              push_migration::options().period);
    EXPECT_EQ(options.idle, untouched.idle);
    EXPECT_EQ(options.join, untouched.join);
    EXPECT_EQ(options.attempts, untouched.attempts);
    EXPECT_EQ(options.backoff, untouched.backoff);
    EXPECT_EQ(options.searchers, untouched.searchers);
    EXPECT_EQ(options.split, untouched.split);
  }
}

TEST(Variant, ASettingGoesToTheOptionOfEachSchedulerThatHasIt) {
  EXPECT_EQ(options_for("central-queue", "order=lifo:split=guided").split, loop_split::guided);
  EXPECT_EQ(options_for("pull-migration", "split=eager").split, loop_split::eager);
  const options rests = options_for("continuation-stealing", "victim=nearest:idle=yield");
  EXPECT_EQ(stealing_of(rests).victim, work_stealing::victim_choice::nearest);
  EXPECT_EQ(rests.idle, idle_policy::yield_thread);
  // Where jobs are meant for one worker, a loop is cut at the start in any case.
  EXPECT_THROW(options_for("work-sharing", "split=lazy"), std::invalid_argument);
  // No worker waits at its joins.
  EXPECT_THROW(options_for("continuation-stealing", "join=wait"), std::invalid_argument);
}

/// That each value of a setting, behind what it requires, makes the option this one.
template <class Value>
void expect_values(const char* scheduler, const std::string& key,
                   const std::function<Value(const options&)>& option,
                   const std::vector<std::pair<std::string, Value>>& expected) {
  const std::vector<setting> settings = settings_of(scheduler);
  const auto set = std::ranges::find(settings, key, &setting::name);
  ASSERT_NE(set, settings.end()) << key;
  EXPECT_EQ(set->values.size(), expected.size()) << key;
  for (const auto& [word, value] : expected) {
    const std::string typed = text_with_requirements(settings, *set, word);
    EXPECT_TRUE(option(options_for(scheduler, typed)) == value) << scheduler << ':' << typed;
  }
}

template <class Value>
auto of_stealing(Value work_stealing::options::*member) {
  return [member](const options& all) { return stealing_of(all).*member; };
}

TEST(Variant, EveryValueOfWorkStealingGoesToTheOptionThatItNames) {
  using namespace std::chrono_literals;
  using namespace work_stealing;
  const char* const scheduler = "work-stealing";
  expect_values<victim_choice>(scheduler, "victim", of_stealing(&work_stealing::options::victim),
                               {{"last", victim_choice::last},
                                {"random", victim_choice::random},
                                {"round-robin", victim_choice::round_robin},
                                {"nearest", victim_choice::nearest},
                                {"first", victim_choice::first},
                                {"busiest", victim_choice::busiest},
                                {"own-first", victim_choice::own_first}});
  expect_values<exposure>(scheduler, "expose", of_stealing(&work_stealing::options::expose),
                          {{"asked", exposure::asked},
                           {"always", exposure::always},
                           {"heartbeat", exposure::heartbeat}});
  expect_values<std::chrono::nanoseconds>(
      scheduler, "beat", of_stealing(&work_stealing::options::beat),
      {{"30us", 30us}, {"100us", 100us}, {"300us", 300us}, {"1ms", 1ms}});
  expect_values<steal_amount>(scheduler, "amount", of_stealing(&work_stealing::options::amount),
                              {{"one", steal_amount::one}, {"half", steal_amount::half}});
}

TEST(Variant, EveryValueOfTheEngineGoesToTheOptionThatItNames) {
  const char* const scheduler = "work-stealing";
  expect_values<idle_policy>(scheduler, "idle", &schedulers::options::idle,
                             {{"park", idle_policy::park},
                              {"yield", idle_policy::yield_thread},
                              {"spin", idle_policy::spin}});
  expect_values<attempt_limit>(
      scheduler, "attempts", &schedulers::options::attempts,
      {{"100", attempt_limit::shipped}, {"2p", attempt_limit::twice_workers}});
  expect_values<backoff_policy>(scheduler, "backoff", &schedulers::options::backoff,
                                {{"linear", backoff_policy::linear},
                                 {"exponential", backoff_policy::exponential},
                                 {"yield", backoff_policy::yield_thread}});
  expect_values<searcher_limit>(
      scheduler, "searchers", &schedulers::options::searchers,
      {{"half", searcher_limit::half}, {"one", searcher_limit::one}, {"all", searcher_limit::all}});
  expect_values<join_policy>(scheduler, "join", &schedulers::options::join,
                             {{"any", join_policy::any},
                              {"leapfrog", join_policy::leapfrog},
                              {"wait", join_policy::wait}});
  expect_values<loop_split>(
      scheduler, "split", &schedulers::options::split,
      {{"lazy", loop_split::lazy}, {"eager", loop_split::eager}, {"guided", loop_split::guided}});
}

TEST(Variant, EveryValueOfAnotherRoomGoesToTheOptionThatItNames) {
  using central_queue::taking_order;
  using work_sharing::placement_rule;
  expect_values<taking_order>(
      "central-queue", "order",
      [](const options& all) { return own_options<central_queue::options>(all).order; },
      {{"fifo", taking_order::fifo}, {"lifo", taking_order::lifo}});
  expect_values<placement_rule>(
      "work-sharing", "place",
      [](const options& all) { return own_options<work_sharing::options>(all).place; },
      {{"turn", placement_rule::turn},
       {"random", placement_rule::random},
       {"least", placement_rule::least}});
  expect_values<unsigned>(
      "push-migration", "balance",
      [](const options& all) { return own_options<push_migration::options>(all).period; },
      {{"1", 1U}, {"4", 4U}, {"16", 16U}, {"64", 64U}});
}

TEST(Variant, TheCanonicalFormHasTheKeysInOrderWithoutWhatEqualsTheDefault) {
  EXPECT_EQ(canonical("join=leapfrog:idle=spin:victim=random:deque=locked"),
            "work-stealing:deque=locked:victim=random:idle=spin:join=leapfrog");
  EXPECT_EQ(canonical("deque=split:victim=last:idle=park:join=any"), "work-stealing");
  EXPECT_EQ(canonical("idle=park:deque=abp"), "work-stealing:deque=abp");
}

TEST(Variant, EveryValueIsKeptAndReadsItsOwnCanonicalForm) {
  for (const setting& key : settings_of("work-stealing")) {
    for (const std::string& value : key.words()) {
      const std::string text = text_with_requirements(settings_of("work-stealing"), key, value);
      const variant chosen = set(text);
      EXPECT_EQ(chosen.value_of(key.name), value);
      if (value == key.standard()) {
        EXPECT_EQ(chosen.settings(), "");
      } else {
        EXPECT_EQ(chosen.settings(), text) << "its key comes after those that it requires";
      }
    }
  }
}

TEST(Variant, SettingsThatAreLeftOutAreTheDefaultAndOtherOptionsAreLeftAlone) {
  options options{.workers = 3, .pin = true};
  apply("work-stealing", set("victim=round-robin:idle=yield:join=leapfrog"), options);
  EXPECT_EQ(options.workers, 3U);
  EXPECT_TRUE(options.pin);
  apply("work-stealing", set("victim=nearest:idle=spin"), options);
  EXPECT_EQ(stealing_of(options).victim, work_stealing::victim_choice::nearest);
  EXPECT_EQ(options.join, join_policy::any);
}

TEST(Variant, WhatItDoesNotKnowIsRefusedWithWhatIsValid) {
  const std::string all = text_of(settings_of("work-stealing"));
  EXPECT_NE(all.find("victim=last|random|"), std::string::npos) << all;
  expect_refusal("colour=red", {"'colour'", all});
  expect_refusal("deque=list", {"deque=list", "split, chase-lev, "});
  expect_refusal("idle=", {"idle=", "park, yield, "});
  expect_refusal("victim", {"'victim': expected KEY=VALUE", all});
  expect_refusal("=last", {"''", "victim="});
  expect_refusal("Deque=locked", {"'Deque'"});
  expect_refusal("deque=locked ", {"deque=locked :", "split"});
  expect_refusal("deque=locked,victim=last", {"deque=locked,victim=last:"});
}

TEST(Variant, AnEmptySettingAndAKeyThatIsNamedTwiceAreRefused) {
  for (const char* const settings :
       {"", ":", "deque=locked:", ":deque=locked", "deque=locked::idle=spin"}) {
    expect_refusal(settings, {"setting is empty", text_of(settings_of("work-stealing"))});
  }
  expect_refusal("deque=locked:deque=split", {"deque is set twice", "split|chase-lev"});
  expect_refusal("deque=split:deque=split", {"deque is set twice"});
  expect_refusal("idle=spin:deque=locked:idle=spin",
                 {"idle is set twice", "one of idle=park|yield|"});
}

TEST(Variant, AValueIsRefusedWhereWhatItRequiresIsMissing) {
  const std::vector<setting> valid{
      {.name = "deque", .meaning = "", .values = {{"split"}, {"ring"}, {"locked"}}},
      {.name = "amount",
       .meaning = "",
       .values = {{"one"}, {"half"}},
       .requirements = each_requires({"half"}, "deque", {"ring", "locked"}, "it needs a ring")}};
  EXPECT_EQ(refusal_of(valid, "amount=half"),
            "amount=half does not go with deque=split, because it needs a ring; valid: "
            "deque=ring|locked");
  EXPECT_EQ(refusal_of(valid, "deque=split:amount=half"), refusal_of(valid, "amount=half"));
  EXPECT_EQ(refusal_of(valid, "amount=half:deque=ring"), "");
  EXPECT_EQ(refusal_of(valid, "amount=one"), "");
}

TEST(Variant, WhatMakesNoSenseIsRefused) {
  expect_refusal("expose=always:deque=chase-lev", {"private jobs", "deque=split"});
  expect_refusal("beat=1ms", {"beats", "expose=heartbeat"});
  expect_refusal("expose=heartbeat:join=leapfrog", {"expose=asked|always"});
  expect_refusal("deque=chase-lev:amount=half:join=wait", {"join=any"});
  expect_refusal("attempts=2p:idle=spin", {"idle=park|yield"});
  expect_refusal("searchers=all:idle=yield", {"idle=park"});
}

TEST(Settings, EveryRequirementNamesValuesThatThereAre) {
  for (const char* const scheduler :
       {"work-stealing", "continuation-stealing", "central-queue", "work-sharing"}) {
    const std::vector<setting>& all = settings_of(scheduler);
    const auto has = [&](const std::string& name, const std::string& value) {
      return std::ranges::any_of(all, [&](const setting& each) {
        return each.name == name && std::ranges::count(each.words(), value) > 0;
      });
    };
    for (const setting& each : all) {
      for (const requirement& need : each.requirements) {
        EXPECT_TRUE(has(each.name, need.value)) << each.name << '=' << need.value;
        for (const std::string& value : need.values) {
          EXPECT_TRUE(has(need.other, value)) << need.other << '=' << value;
        }
        EXPECT_NE(need.reason, "");
      }
    }
  }
}

TEST(Variant, ASchedulerWithoutSettingsTakesNone) {
  EXPECT_TRUE(settings_of("serial").empty());
  const std::string message = refusal_of({}, "deque=locked");
  EXPECT_NE(message.find("this has no settings; valid: this"), std::string::npos) << message;
}

}  // namespace
}  // namespace stealbench::schedulers
