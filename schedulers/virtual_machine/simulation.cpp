#include "schedulers/virtual_machine/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <stdexcept>
#include <utility>

#include <cxxabi.h>

#include "schedulers/virtual_machine/thread.hpp"

namespace stealbench::virtual_machine {
namespace {

// Far enough from the end of its type that a little more is no overflow.
constexpr picoseconds never = std::numeric_limits<picoseconds>::max() / 2;
constexpr std::size_t bytes_of_its_lines = job_stack_bytes / line_bytes * sizeof(line);
constexpr std::uint8_t unnamed = 0;
constexpr std::uint8_t task_slots = 1;
// Prime, so that neighbouring lines of one job stack are far from those of the next one.
constexpr std::uintptr_t most_in_turn = 4099;

picoseconds from_ns(double ns) { return std::llround(ns * 1000); }

charges charges_of(const costs& of) {
  return {.hit = from_ns(of.hit),
          .rmw = from_ns(of.rmw),
          .fence = from_ns(of.fence),
          .transfer = from_ns(of.transfer),
          .remote_transfer = from_ns(of.remote_transfer),
          .shared_gap = from_ns(of.shared_gap),
          .pause = std::max<picoseconds>(from_ns(of.pause), 1),  // Who waits must get on.
          .yield = std::max<picoseconds>(from_ns(of.yield), 1),
          .system_call = from_ns(of.system_call),
          .sleep = from_ns(of.sleep),
          .wake_call = from_ns(of.wake_call),
          .wake = from_ns(of.wake),
          .membarrier = from_ns(of.membarrier),
          .interrupt = from_ns(of.interrupt),
          .thread_start = from_ns(of.thread_start),
          .processors_per_socket = of.processors_per_socket,
          .jitter_1024ths = std::llround(of.jitter * 1024)};
}

// The finaliser of SplitMix64 (Steele, Lea & Flood, OOPSLA 2014): neighbouring seeds begin far
// apart. A xorshift's state must not be zero.
std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return (value ^ (value >> 31)) | 1;
}

void add_to(time_spent& sum, const time_spent& more) {
  sum.work += more.work;
  sum.search += more.search;
  sum.lines += more.lines;
  sum.asleep += more.asleep;
}

/// The stack is the thread's own.
struct no_allocator {
  static void deallocate(boost::context::stack_context& /*stack*/) {}
};

}  // namespace

simulation::simulation(const settings& chosen)
    : costs_(charges_of(chosen.costs)),
      prices_{from_ns(chosen.prices.fork), from_ns(chosen.prices.call),
              from_ns(chosen.prices.spawn), from_ns(chosen.prices.piece)},
      look_(from_ns(chosen.costs.look)),
      unit_ps_(chosen.unit_ns * 1000),
      random_(mixed(chosen.seed)),
      ahead_(chosen.looks_ahead ? std::min(costs_.transfer, costs_.remote_transfer) / 2 : 0),
      arena_(chosen.job_stacks * job_stack_bytes, job_stack_bytes),
      arena_lines_(chosen.job_stacks * bytes_of_its_lines),
      names_{"unnamed", "task slots"} {
  current_.lines.resize(names_.size());
  if (here.all != nullptr) throw std::logic_error("there is a simulation already");
  for (std::byte* block = arena_.end(); block != arena_.begin();) {
    block -= job_stack_bytes;
    free_job_stacks_.push_back(block);  // The first one last, so that it is taken first.
  }
  here = {.limit = never,
          .hit = costs_.hit,
          .rmw = costs_.rmw,
          .arena = reinterpret_cast<std::uintptr_t>(arena_.begin()),
          .arena_bytes = arena_.bytes(),
          .arena_lines = reinterpret_cast<line*>(arena_lines_.begin()),
          .all = this};
}

simulation::~simulation() { here = {}; }

// Threads.

thread& simulation::make_thread(std::size_t stack_bytes, std::optional<unsigned> processor,
                                std::function<void()> body) {
  // The lowest number that is free: so workers have the same ones in one scheduler after the other.
  const auto free =
      std::ranges::find_if(threads_, [](const auto& each) { return each == nullptr; });
  const auto index = static_cast<unsigned>(free - threads_.begin());
  if (free == threads_.end()) threads_.emplace_back();
  threads_[index] = std::make_unique<thread>();
  thread& made = *threads_[index];
  made.number = static_cast<thread_number>(index + 1);
  made.processor = processor.value_or(index);
  made.body = std::move(body);
  made.stack = mapped_memory(stack_bytes, 1, /*guard=*/true);
  boost::context::stack_context stack;
  stack.sp = made.stack.end();
  stack.size = made.stack.bytes();
  made.context = boost::context::fiber(
      std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack), no_allocator{},
      [this, &made](boost::context::fiber&& from) {
        previous_->context = std::move(from);
        made.body();
        made.is_done = true;
        made.clock = here.now;
        does(doing::nothing);
        if (made.joiner != nullptr) {
          made.joiner->clock = std::max(made.joiner->clock, here.now);
          ready_.add(*made.joiner, made.joiner->clock);
        }
        thread& next = next_to_run();
        resume(next);
        return std::move(next.context);
      });
  return made;
}

thread& simulation::start(std::size_t stack_bytes, std::optional<unsigned> processor,
                          std::function<void()> body) {
  thread& started = make_thread(stack_bytes, processor, std::move(body));
  started.clock = here.now + costs_.thread_start;
  started.since = started.clock;
  started.barriers_seen = barriers_;
  ready_.add(started, started.clock);
  set_limit();
  return started;
}

void simulation::join(thread& awaited) {
  if (!awaited.is_done) {
    awaited.joiner = running_;
    running_->clock = here.now;
    switch_to(next_to_run());
  }
  threads_[awaited.number - 1U].reset();
}

void simulation::run(std::size_t stack_bytes, const std::function<void()>& body) {
  std::exception_ptr error;
  thread outside;  // The caller, which takes no part.
  const auto guarded = [&] {
    try {
      body();
    } catch (...) {
      error = std::current_exception();
    }
  };
  thread& first = make_thread(stack_bytes, 0U, guarded);
  first.joiner = &outside;
  outside.clock = never - 1;  // After all others.
  running_ = &outside;
  switch_to(first);
  running_ = nullptr;
  if (error) std::rethrow_exception(error);
}

// The next thread, which is no longer in the queue.
thread& simulation::next_to_run() {
  if (ready_.is_empty()) report_deadlock();
  return ready_.take_first();
}

void simulation::report_deadlock() const {
  std::fprintf(stderr, "stealbench: all %zu threads of the simulation wait for each other\n",
               threads_.size());
  std::abort();
}

// What `next` finds when it runs again.
void simulation::resume(thread& next) {
  previous_ = std::exchange(running_, &next);
  here.now = next.clock;
  if (next.is_asleep) {
    wake_up(next);
  } else {
    here.now += static_cast<picoseconds>(barriers_ - next.barriers_seen) * costs_.interrupt;
  }
  next.barriers_seen = barriers_;
  here.drained = next.drained;
  here.self = next.number;
  here.own_copies = &next.own_copies;
  set_limit();
  std::memcpy(abi::__cxa_get_globals(), next.exceptions.data(), next.exceptions.size());
}

// A sleeper goes on: it was woken, or its deadline has come.
void simulation::wake_up(thread& sleeper) {
  if (sleeper.awaited != nullptr) {
    sleeper.has_timed_out = true;
    here.now = sleeper.deadline;
    stop_waiting(sleeper);
  }
  sleeper.is_asleep = false;
  const picoseconds asleep = here.now - sleeper.asleep_since;
  sleeper.spent.asleep += asleep;
  if (sleeper.does == doing::searching) sleeper.spent_searching.asleep += asleep;
}

// The running thread has left its clock, and is in the queue or waits for something.
void simulation::switch_to(thread& next) {
  thread& self = *running_;
  self.drained = here.drained;
  std::memcpy(self.exceptions.data(), abi::__cxa_get_globals(), self.exceptions.size());
  resume(next);
  if (&next == &self) return;
  boost::context::fiber from = std::move(next.context).resume();
  // Nothing comes from a thread that has ended.
  if (from) previous_->context = std::move(from);
}

void simulation::set_limit() {
  here.limit = ready_.is_empty() ? never : ready_.earliest() + ahead_;
}

void simulation::give_way() {
  if (ready_.is_empty() || here.now <= ready_.earliest()) return;
  running_->clock = here.now;
  switch_to(ready_.exchange_first(*running_, here.now));
}

void simulation::sleep_for(picoseconds time) {
  here.now += time;
  give_way();
}

// Cache lines.

line& simulation::line_elsewhere(const void* place) {
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(place) / line_bytes;
  recent_line& recent = recent_lines_[address % recent_lines_.size()];
  if (recent.address == address) return *recent.found;
  std::unique_ptr<line>& found = other_lines_[address];
  if (found == nullptr) found = std::make_unique<line>();
  recent = {address, found.get()};
  return *found;
}

picoseconds simulation::transfer_from(thread_number owner) {
  const auto socket_of = [&](const thread& on) {
    return costs_.processors_per_socket == 0 ? 0 : on.processor / costs_.processors_per_socket;
  };
  const thread* const from = threads_[owner - 1U].get();  // Null if it has ended.
  const bool is_near = from == nullptr || socket_of(*from) == socket_of(*running_);
  return jittered(is_near ? costs_.transfer : costs_.remote_transfer);
}

void simulation::arrive(picoseconds when, const void* place, line& what) {
  line_wait& waits = current_.lines[name_of(place, what)];
  const picoseconds time = when - here.now;
  waits.time += time;
  ++waits.waits;
  running_->spent.lines += time;
  if (running_->does == doing::searching) running_->spent_searching.lines += time;
  here.now = when;
  give_way();
}

void simulation::read_other(const void* place, line& from) {
  if (!read_hits(from, here.self, running_->own_copies, here.now)) {
    give_way();
    if (from.owner == 0) claim(from, here.self);
    if (!read_hits(from, here.self, running_->own_copies, here.now)) {
      if (from.number == 0) number(place, from);
      arrive(fetch_copy(from, running_->own_copies, here.now, transfer_from(from.owner),
                        costs_.shared_gap),
             place, from);
    }
  }
  here.now += costs_.hit;
}

// Side by side are the copies of lines at one place of several job stacks: thieves look at these in
// turn.
void simulation::number(const void* place, line& what) {
  what.number = ++line_numbers_;
  const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(place) - here.arena;
  const std::uintptr_t in_turn =
      offset < here.arena_bytes
          ? offset / job_stack_bytes + offset % job_stack_bytes / line_bytes * most_in_turn
          : what.number;
  what.place = static_cast<std::uint16_t>(in_turn % copies::size);
}

// A store that misses waits in the store buffer, and its thread goes on.
void simulation::write_other(line& to) {
  give_way();
  if (to.owner == 0) claim(to, here.self);
  if (!write_hits(to, here.self, here.now)) {
    const picoseconds done = fetch_line(to, here.self, here.now, transfer_from(to.owner));
    here.drained = std::max(here.drained, done);
  }
  here.now += costs_.hit;
}

void simulation::change_other(const void* place, line& to) {
  give_way();
  if (to.owner == 0) claim(to, here.self);
  if (!write_hits(to, here.self, here.now)) {
    arrive(fetch_line(to, here.self, here.now, transfer_from(to.owner)), place, to);
  }
  here.now += costs_.rmw;
}

void simulation::name(const void* object, std::size_t bytes, const char* text) {
  const auto known = std::ranges::find(names_, text);
  const auto known_as = static_cast<std::uint8_t>(known - names_.begin());
  if (known == names_.end()) names_.emplace_back(text);
  if (current_.lines.size() < names_.size()) current_.lines.resize(names_.size());
  const auto* const first = static_cast<const std::byte*>(object);
  for (std::size_t at = 0; at < bytes; at += line_bytes) line_of(first + at).name = known_as;
  line_of(first + (bytes - 1)).name = known_as;
}

std::uint8_t simulation::name_of(const void* place, const line& what) const {
  if (what.name != unnamed) return what.name;
  return reinterpret_cast<std::uintptr_t>(place) - here.arena < here.arena_bytes ? task_slots
                                                                                 : unnamed;
}

std::byte* simulation::take_job_stack() {
  if (free_job_stacks_.empty()) throw std::bad_alloc();
  std::byte* const taken = free_job_stacks_.back();
  free_job_stacks_.pop_back();
  return taken;
}

void simulation::give_back_job_stack(std::byte* block) {
  clear_pages(block, job_stack_bytes);
  const auto number = static_cast<std::size_t>(block - arena_.begin()) / job_stack_bytes;
  clear_pages(arena_lines_.begin() + number * bytes_of_its_lines, bytes_of_its_lines);
  // As if it had never been taken: the lowest free one is taken next.
  const auto above = std::ranges::lower_bound(free_job_stacks_, block, std::greater<>{});
  free_job_stacks_.insert(above, block);
}

// Time.

void simulation::work(std::uint64_t units) {
  const auto time = static_cast<picoseconds>(static_cast<double>(units) * unit_ps_);
  here.now += time;
  running_->spent.work += time;
  current_.units += units;
}

void simulation::fence() {
  keep_order();
  here.now = std::max(here.now, here.drained) + costs_.fence;
}

void simulation::system_wide_fence() {
  give_way();
  ++barriers_;
  running_->barriers_seen = barriers_;
  here.now = std::max(here.now, here.drained);
  charge(costs_.membarrier);
}

bool simulation::wait(const void* word, picoseconds at_most,
                      const std::function<bool()>& is_unchanged) {
  give_way();
  thread& self = *running_;
  self.asleep_since = here.now;
  charge(costs_.system_call);
  give_way();
  if (!is_unchanged()) return true;
  charge(costs_.sleep);
  self.awaited = word;
  self.is_asleep = true;
  self.has_timed_out = false;
  self.clock = here.now;
  sleepers_[word].push_back(&self);
  self.deadline = here.now + at_most;
  if (at_most > 0) ready_.add(self, self.deadline);
  switch_to(next_to_run());
  return !self.has_timed_out;
}

void simulation::wake_one(const void* word) {
  give_way();
  const auto found = sleepers_.find(word);
  if (found == sleepers_.end()) {
    charge(costs_.system_call);
    return;
  }
  thread& woken = *found->second.front();
  stop_waiting(woken);
  woken.clock = std::max(woken.clock, here.now + jittered(costs_.wake));
  ready_.add(woken, woken.clock);
  charge(costs_.wake_call);
  set_limit();
}

// Takes a sleeper off its word, and its deadline from the queue.
void simulation::stop_waiting(thread& sleeper) {
  const auto found = sleepers_.find(sleeper.awaited);
  std::erase(found->second, &sleeper);
  if (found->second.empty()) sleepers_.erase(found);
  sleeper.awaited = nullptr;
  if (sleeper.place != run_queue<thread>::nowhere) ready_.remove(sleeper);
}

void simulation::does(doing next) {
  thread& self = *running_;
  if (self.does == doing::searching) self.spent.search += here.now - self.since;
  self.does = next;
  self.since = here.now;
}

void simulation::await_stillness() {
  constexpr picoseconds step = 100'000'000;
  constexpr unsigned most_steps = 500;
  const auto is_still = [&](const std::unique_ptr<thread>& each) {
    return each == nullptr || each.get() == running_ || each->is_done || each->is_asleep;
  };
  for (unsigned i = 0; i < most_steps && !std::ranges::all_of(threads_, is_still); ++i) {
    sleep_for(step);
  }
}

void simulation::begin_window() {
  is_in_window_ = true;
  window_begin_ = here.now;
  current_.units = 0;
  current_.charged = {};
  for (line_wait& each : current_.lines) each = {};
  for (const auto& each : threads_) {
    if (each == nullptr) continue;
    each->spent = {};
    each->spent_searching = {};
    each->since = here.now;
    each->asleep_since = here.now;
  }
}

window simulation::end_window() {
  is_in_window_ = false;
  window seen = current_;
  seen.length = here.now - window_begin_;
  for (const auto& each : threads_) {
    if (each == nullptr || each->is_done) continue;
    ++seen.threads;
    time_spent spent = each->spent;
    time_spent searching = each->spent_searching;
    if (each->is_asleep) {
      const picoseconds asleep = std::max<picoseconds>(here.now - each->asleep_since, 0);
      spent.asleep += asleep;
      if (each->does == doing::searching) searching.asleep += asleep;
    }
    if (each->does == doing::searching) {
      spent.search += std::max<picoseconds>(here.now - each->since, 0);
    }
    spent.search = std::max<picoseconds>(spent.search - searching.lines - searching.asleep, 0);
    add_to(seen.spent, spent);
  }
  for (std::size_t i = 0; i < seen.lines.size(); ++i) seen.lines[i].name = names_[i];
  std::erase_if(seen.lines, [](const line_wait& each) { return each.waits == 0; });
  std::ranges::stable_sort(seen.lines, std::greater<>{}, &line_wait::time);
  return seen;
}

}  // namespace stealbench::virtual_machine
