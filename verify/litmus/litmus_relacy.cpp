// What Relacy sees of the C++ memory model, as executable facts. Each program has one outcome that
// tells two models apart; the check asserts whether the search meets it. Names are those of the
// litmus literature (Alglave, Maranget & Tautschnig, TOPLAS 2014): SB, store buffering; MP, message
// passing; LB, load buffering; IRIW, independent reads of independent writes; WRC, write to read
// causality; 2+2W, two threads of two writes; CoRR, coherence of two reads. "Blind" marks what
// C++20 allows and Relacy never shows: where an ordering guards against such an outcome alone, a
// weakened negative test survives.
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "verify/explore.hpp"

namespace stealbench::verify {
namespace {

using engine::order;

/// What the threads of a program share, and the registers that take what they read.
struct memory {
  relacy_machine::atomic<int> words[2];
  int registers[4] = {-1, -1, -1, -1};
};
using act = std::function<void(memory&)>;

constexpr std::size_t x = 0;
constexpr std::size_t y = 1;
constexpr std::size_t data = 0;
constexpr std::size_t flag = 1;

act store(std::size_t word, int value, order how = order::relaxed) {
  return [=](memory& m) { m.words[word].store(value, how); };
}
act load(std::size_t word, std::size_t into, order how = order::relaxed) {
  return [=](memory& m) { m.registers[into] = m.words[word].load(how); };
}
// A compare-exchange. Nothing stores 7.
act exchange(std::size_t word, int expected, std::size_t into, order failure = order::relaxed) {
  return [=](memory& m) {
    m.registers[into] = expected;
    m.words[word].compare_exchange_strong(m.registers[into], 8, order::relaxed, failure);
  };
}
void nothing(memory& /*unused*/) {}
void fence(memory& /*unused*/) { relacy_machine::fence(order::seq_cst); }
void light(memory& /*unused*/) { relacy_machine::light_fence(); }
void heavy(memory& /*unused*/) { relacy_machine::heavy_fence(); }

struct program {
  std::vector<std::vector<act>> threads;
  bool (*outcome)(const int* registers);  ///< Whether it is the one that tells two models apart.
  std::vector<act> after = {};            ///< The threads.
};

/// Registers 0, 1, … have these values.
template <int... Values>
bool reads(const int* registers) {
  return ((*registers++ == Values) && ...);
}

const program* program_now = nullptr;
bool seen = false;  // in some execution of the search under way

template <rl::thread_id_t Threads>
class litmus : public rl::test_suite<litmus<Threads>, Threads> {
 public:
  void thread(unsigned who) { play(program_now->threads[who]); }
  void after() {
    play(program_now->after);
    seen = seen || program_now->outcome(memory_.registers);
  }

 private:
  void play(const std::vector<act>& acts) {
    for (const act& each : acts) each(memory_);
  }

  memory memory_;
};

check fact(std::string name, const char* sentence, program test, const char* expected) {
  return {std::move(name),
          sentence,
          {full, random(20'000)},
          [test = std::move(test)](const search& s) {
            program_now = &test;
            seen = false;
            const std::size_t threads = test.threads.size();
            verdict v = threads == 2   ? explore<litmus<2>>(s)
                        : threads == 3 ? explore<litmus<3>>(s)
                                       : explore<litmus<4>>(s);
            if (v.outcome == passes) v.outcome = seen ? "SEEN" : "NOT SEEN";
            return v;
          },
          expected};
}

constexpr const char* is_seen = "SEEN";
constexpr const char* not_seen = "NOT SEEN";

// What C++20 allows and Relacy does not show is disabled, with the reason. That it is not shown is
// a check too: should a newer Relacy show it, the arguments that stand in for it can go.
void add_blind(std::vector<check>& to, const std::string& name, const char* reason,
               const program& test) {
  check allowed = fact(name, "Allowed.", test, is_seen);
  allowed.disabled = reason;
  to.push_back(std::move(allowed));
  to.push_back(fact(name + "/blind", reason, test, not_seen));
}

// Dekker's heart: both threads miss the other's store. Edge E2 of the deque.
program store_buffering(const act& first, const act& second) {
  return {{{store(x, 1), first, load(y, 0)}, {store(y, 1), second, load(x, 1)}}, reads<0, 0>};
}

// The flag is seen, the data is not. Edge E1.
program message_passing(order release, order acquire) {
  return {{{store(data, 1), store(flag, 1, release)}, {load(flag, 0, acquire), load(data, 1)}},
          reads<1, 0>};
}

program passing_to_exchange(int expected) {
  return {{{store(data, 1), store(flag, 1, order::release)},
           {exchange(flag, expected, 0, order::acquire), load(data, 1)}},
          reads<1, 0>};
}

// Two readers disagree on the order of two independent stores.
program independent_reads(const act& between) {
  return {{{store(x, 1, order::release)},
           {store(y, 1, order::release)},
           {load(x, 0, order::acquire), between, load(y, 1, order::acquire)},
           {load(y, 2, order::acquire), between, load(x, 3, order::acquire)}},
          reads<1, 0, 1, 0>};
}

// A store that one thread has read, and told of, is not seen by whom it told.
program write_to_read_causality(order release, order acquire) {
  return {{{store(data, 1)},
           {load(data, 0), store(flag, 1, release)},
           {load(flag, 1, acquire), load(data, 2)}},
          reads<1, 1, 0>};
}

// After the flag, a load reads another value than the newest.
program old_value(bool (*outcome)(const int*)) {
  return {{{store(x, 1), store(x, 2), store(x, 3), store(x, 4), store(flag, 1)},
           {load(flag, 0), load(x, 1)}},
          outcome};
}

void add_blind_spots(std::vector<check>& all) {
  add_blind(all, "old_value_three_back", "Three values are kept per word.", old_value(reads<1, 1>));
  // Both loads read the store behind the other. Edge E3.
  add_blind(all, "LB", "A load never moves below a later store.",
            {{{load(x, 0), store(y, 1)}, {load(y, 1), store(x, 1)}}, reads<1, 1>});
  // Each word ends with the store that came first in its thread.
  add_blind(all, "2+2W", "Stores reach their words in the order of execution.",
            {{{store(x, 1), store(y, 2)}, {store(y, 1), store(x, 2)}},
             reads<1, 1>,
             {load(x, 0), load(y, 1)}});
  // A relaxed store behind a release store by the same thread: since C++20 it publishes nothing.
  add_blind(all, "release_sequence", "The release sequence is C++11's, which C++20 has cut short.",
            {{{store(data, 1), store(flag, 1, order::release), store(flag, 2)},
              {load(flag, 0, order::acquire), load(data, 1)}},
             reads<2, 0>});
  // After the flag, it reads an old value: in C++20 it is a load.
  add_blind(all, "failed_exchange", "A compare-exchange that fails reads the newest value.",
            {{{store(x, 1), store(x, 2), store(flag, 1)}, {load(flag, 0), exchange(x, 7, 1)}},
             [](const int* r) { return r[0] == 1 && r[1] != 2; }});
}

}  // namespace

suites all_suites() {
  using enum order;
  check two_back =
      fact("old_value_two_back", "Allowed; the tree searches stop at one, random at two.",
           old_value(reads<1, 2>), is_seen);
  two_back.searches = {random(20'000)};
  std::vector<check> all{
      fact("SB", "Allowed.", store_buffering(nothing, nothing), is_seen),
      fact("SB+fences", "Forbidden between two seq_cst fences.", store_buffering(fence, fence),
           not_seen),
      fact("SB+fence", "Allowed: one fence pairs with nothing.", store_buffering(fence, nothing),
           is_seen),
      fact("SB+light+heavy", "Forbidden between a light and a heavy fence.",
           store_buffering(light, heavy), not_seen),
      fact("SB+light+light", "Allowed: light fences do not pair.", store_buffering(light, light),
           is_seen),
      fact("MP", "Allowed.", message_passing(relaxed, relaxed), is_seen),
      fact("MP+acq", "Allowed.", message_passing(relaxed, acquire), is_seen),
      fact("MP+rel", "Allowed.", message_passing(release, relaxed), is_seen),
      fact("MP+rel+acq", "Forbidden.", message_passing(release, acquire), not_seen),
      fact("MP+rel+exchange", "Allowed: it succeeds, and only its failure would acquire.",
           passing_to_exchange(1), is_seen),
      fact("MP+rel+failed", "Forbidden: it fails.", passing_to_exchange(7), not_seen),
      fact("IRIW+acqs", "Allowed with acquire loads.", independent_reads(nothing), is_seen),
      fact("IRIW+fences", "Forbidden with seq_cst fences between the loads.",
           independent_reads(fence), not_seen),
      fact("WRC", "Allowed.", write_to_read_causality(relaxed, relaxed), is_seen),
      fact("WRC+rel+acq", "Forbidden.", write_to_read_causality(release, acquire), not_seen),
      // One reader sees a word go backwards.
      fact("CoRR", "Forbidden.", {{{store(x, 1)}, {load(x, 0), load(x, 1)}}, reads<1, 0>},
           not_seen),
      fact("old_value_one_back", "Allowed.", old_value(reads<1, 3>), is_seen),
      std::move(two_back),
  };
  add_blind_spots(all);
  return {std::move(all)};
}

}  // namespace stealbench::verify
