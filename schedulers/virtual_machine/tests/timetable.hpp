// Golden tables of what threads do, and how long each step takes. A row is a test:
//
//   NameOfTheTest [setting number]...
//     A: step, step, ...    What the first thread does, and from `start B` on a second one.
//     B: step, step, ...    At its end a thread joins those that it has started, the latest first.
//
// A step is a verb, its operands and what is expected: =N, it takes N ns; @N, it ends at N ns; ->N,
// its value. 4x before a step repeats it. N may be a sum of products: 2*100-1.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/virtual_machine/tests/test_machine.hpp"

namespace stealbench::virtual_machine {

using timetable_step = std::vector<std::string>;

struct timetable {
  std::string name;
  std::map<std::string, double> settings;
  std::map<std::string, std::vector<timetable_step>> threads;

  friend void PrintTo(const timetable& shown, std::ostream* to) { *to << shown.name; }  // NOLINT
};

inline std::vector<timetable> timetables_of(const std::string& text) {
  std::vector<timetable> all;
  std::vector<timetable_step>* steps = nullptr;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    line = line.substr(0, line.find('#'));  // Without the comment.
    if (line.empty()) continue;
    std::istringstream words(line);
    std::string word;
    if (line.front() != ' ') {
      words >> word;
      all.push_back({.name = word, .settings = {}, .threads = {}});
      for (double value = 0; words >> word >> value;) all.back().settings[word] = value;
      continue;
    }
    while (words >> word) {
      if (word.back() == ':') {
        steps = &all.back().threads[word.substr(0, word.size() - 1)];
        steps->emplace_back();
      } else {
        const bool ends = word.back() == ',';
        if (ends) word.pop_back();
        steps->back().push_back(word);
        if (ends) steps->emplace_back();
      }
    }
  }
  return all;
}

/// The value of a sum of products.
inline picoseconds number_in(const std::string& text) {
  std::istringstream terms(text);
  picoseconds sum = 0;
  char sign = '+';
  do {
    picoseconds product = 0;
    if (!(terms >> product)) throw std::invalid_argument("not a number: " + text);
    while (terms.peek() == '*') {
      picoseconds factor = 0;
      terms.ignore() >> factor;
      product *= factor;
    }
    sum += sign == '-' ? -product : product;
  } while (terms >> sign);
  return sum;
}

/// One run of it.
class timetable_run {
 public:
  explicit timetable_run(const timetable& shown) : shown_(shown) {
    settings chosen = exactly(4);
    chosen.prices.fork = 7;
    chosen.unit_ns = 1;
    for (const auto& [name, value] : shown.settings) {
      if (name == "socket") {
        chosen.costs.processors_per_socket = static_cast<unsigned>(value);
      } else if (name == "wake") {
        chosen.costs.wake = value;
      } else if (name == "looks_ahead") {
        chosen.looks_ahead = value != 0;
      } else if (name == "unit") {
        chosen.unit_ns = value;
      } else {
        throw std::invalid_argument("no such setting: " + name);
      }
    }
    simulated(chosen, [this] {
      run("A");
      stacks_.clear();
    });
  }

 private:
  using word = machine::zeroed_atomic<std::uint32_t>;
  struct alignas(line_bytes) own_mutex {
    machine::mutex mutex;
  };

  void run(const std::string& thread) {
    timetable_step begun;
    for (timetable_step step : shown_.threads.at(thread)) {
      picoseconds times = 1;
      if (step.front().back() == 'x') {
        times = std::stoi(step.front());
        step.erase(step.begin());
      }
      if (step.front() == "start") begun.push_back(step.at(1));
      for (; times > 0; --times) check(thread, step);
    }
    for (; !begun.empty(); begun.pop_back()) threads_.at(begun.back()).reset();
  }

  void check(const std::string& thread, const timetable_step& step) {
    timetable_step given;
    timetable_step expected;
    std::string text = shown_.name + ", " + thread + ":";
    for (const std::string& each : step) {
      text += " " + each;
      const bool is_expected = each.front() == '=' || each.front() == '@' || each.front() == '-';
      (is_expected ? expected : given).push_back(each);
    }
    const picoseconds before = running.now;
    const picoseconds value = perform(given, text);
    for (const std::string& each : expected) {
      if (each.front() == '=') {
        EXPECT_EQ(running.now - before, in_ps(number_in(each.substr(1)))) << text;
      } else if (each.front() == '@') {
        EXPECT_EQ(running.now, in_ps(number_in(each.substr(1)))) << text;
      } else {
        EXPECT_EQ(value, number_in(each.substr(2))) << text;
      }
    }
  }

  /// The word of that name, in a line of its own or in a task slot.
  word& at(const std::string& name) {
    const auto slot = slots_.find(name);
    return slot == slots_.end() ? words_[name].value : *slot->second;
  }

  picoseconds perform(const timetable_step& step, const std::string& text) {
    using engine::order;
    simulation& all = *running.all;
    const std::string& verb = step.at(0);
    const std::string operand = step.size() > 1 ? step[1] : "";
    const bool has_amount = step.back().front() >= '0' && step.back().front() <= '9';
    const picoseconds amount = has_amount ? number_in(step.back()) : 0;
    const auto value = static_cast<std::uint32_t>(amount);
    const std::chrono::nanoseconds time(amount);
    if (verb == "load") return at(operand).load(order::relaxed);
    if (verb == "exchange") return at(operand).exchange(value, order::relaxed);
    if (verb == "wait") return machine::wait(at(operand), 0, time) ? 1 : 0;
    if (verb == "thread") return running.self;
    if (verb == "clock") return machine::now().time_since_epoch().count();
    if (verb == "store") {
      at(operand).store(value, order::relaxed);
    } else if (verb == "add") {
      at(operand).fetch_add(1, order::relaxed);
    } else if (verb == "await") {  // The value that another thread stores.
      while (at(operand).load(order::relaxed) != value) machine::spin();
    } else if (verb == "reads") {
      machine::reads(at(operand), operand.c_str());
    } else if (verb == "writes") {
      machine::writes(at(operand));
    } else if (verb == "far") {  // Another thread has stored, and ended.
      started([&] { at(operand).store(1, order::relaxed); });
    } else if (verb == "slot") {
      stacks_.push_back(std::make_unique<machine::job_stack>());
      slots_[operand] = machine::job_stack::start_slots<word>(stacks_.back()->begin(), 1);
    } else if (verb == "name") {
      machine::name(at(operand), step.at(2).c_str());
    } else if (verb == "fence") {
      machine::fence(order::seq_cst);
    } else if (verb == "release") {
      machine::fence(order::release);
    } else if (verb == "membarrier") {
      machine::heavy_fence();
    } else if (verb == "spin") {
      machine::spin();
    } else if (verb == "yield") {
      machine::yield_thread();
    } else if (verb == "look") {
      machine::charge(engine::cost::look);
    } else if (verb == "fork") {
      machine::charge(engine::cost::fork_join);
    } else if (verb == "work") {
      machine::work(value);
    } else if (verb == "ahead") {  // Without giving way.
      all.charge(in_ps(amount));
    } else if (verb == "sleep") {
      sleep_ns(amount);
    } else if (verb == "until") {
      all.sleep_for(in_ps(amount) - running.now);
    } else if (verb == "wake") {
      machine::notify_one(at(operand));
    } else if (verb == "lock") {
      mutexes_[operand].mutex.lock();
    } else if (verb == "unlock") {
      mutexes_[operand].mutex.unlock();
    } else if (verb == "start") {
      threads_[operand] = started([this, operand] { run(operand); });
    } else if (verb == "join") {
      threads_.at(operand).reset();
    } else if (verb == "still") {
      all.await_stillness();
    } else if (verb == "gives_way") {
      all.give_way();
    } else if (verb == "search") {
      all.does(activity::searching);
    } else if (verb == "run") {
      all.does(activity::running);
    } else if (verb == "away") {
      all.does(activity::away);
    } else if (verb == "begin") {
      has_amount ? all.begin_window(value) : all.begin_window();
    } else if (verb == "end") {
      expect_window(all.end_window(), {step.begin() + 1, step.end()}, text);
    } else {
      throw std::invalid_argument("no such verb: " + text);
    }
    return 0;
  }

  /// Shares that are not named are none; and lines as name=waits/ns, the longest first.
  static void expect_window(const window& seen, const timetable_step& expected,
                            const std::string& text) {
    std::map<std::string, picoseconds> values{
        {"work", 0}, {"search", 0}, {"lines", 0}, {"asleep", 0}};
    timetable_step lines;
    for (const std::string& each : expected) {
      const std::size_t is = each.find('=');
      if (each.find('/') != std::string::npos) {
        lines.push_back(each);
      } else {
        values[each.substr(0, is)] = number_in(each.substr(is + 1));
      }
    }
    const std::map<std::string, picoseconds> found{
        {"work", seen.spent.work},    {"search", seen.spent.search},
        {"lines", seen.spent.lines},  {"asleep", seen.spent.asleep},
        {"length", seen.length},      {"threads", in_ps(seen.threads)},
        {"units", in_ps(seen.units)}, {"forks", in_ps(seen.charged[0])}};
    for (const auto& [name, value] : values) {
      EXPECT_EQ(found.at(name), in_ps(value)) << name << ", " << text;
    }
    timetable_step found_lines;
    for (const line_wait& each : seen.lines) {
      EXPECT_EQ(each.time % 1000, 0) << text;
      found_lines.push_back(each.name + "=" + std::to_string(each.waits) + "/" +
                            std::to_string(each.time / 1000));
      std::ranges::replace(found_lines.back(), ' ', '_');
    }
    EXPECT_EQ(found_lines, lines) << text;
  }

  const timetable& shown_;
  std::map<std::string, own_line> words_;
  std::map<std::string, own_mutex> mutexes_;
  std::map<std::string, word*> slots_;
  std::vector<std::unique_ptr<machine::job_stack>> stacks_;
  std::map<std::string, std::unique_ptr<machine::thread>> threads_;
};

// The rows of `text` are tests of `suite`.
#define TIMETABLES(suite, text)                                             \
  class suite : public testing::TestWithParam<timetable> {};                \
  TEST_P(suite, Row) { timetable_run{GetParam()}; }                         \
  INSTANTIATE_TEST_SUITE_P(, suite, testing::ValuesIn(timetables_of(text)), \
                           [](const auto& row) { return row.param.name; })

}  // namespace stealbench::virtual_machine
