#include "schedulers/virtual_machine/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <stdexcept>
#include <utility>

#include "schedulers/virtual_machine/thread.hpp"

namespace stealbench::virtual_machine {
namespace {

constexpr picoseconds never = std::numeric_limits<picoseconds>::max();

picoseconds from_ns(double ns) { return std::llround(ns * 1000); }

charges charges_of(const costs& known) {
  return {.hit = from_ns(known.hit),
          .rmw = from_ns(known.rmw),
          .fence = from_ns(known.fence),
          .transfer = from_ns(known.transfer),
          .remote_transfer = from_ns(known.remote_transfer),
          .shared_gap = from_ns(known.shared_gap),
          .pause = std::max<picoseconds>(from_ns(known.pause), 1),  // Who waits must get on.
          .yield = std::max<picoseconds>(from_ns(known.yield), 1),
          .system_call = from_ns(known.system_call),
          .sleep = from_ns(known.sleep),
          .wake_call = from_ns(known.wake_call),
          .wake = from_ns(known.wake),
          .membarrier = from_ns(known.membarrier),
          .interrupt = from_ns(known.interrupt),
          .thread_start = from_ns(known.thread_start),
          .processors_per_socket = known.processors_per_socket,
          .jitter_1024ths = std::llround(known.jitter * 1024)};
}

// What hits may run ahead by: until just before the earliest moment at which a request of the
// earliest thread, if it is no store, can take a line away, after half of the shortest transfer
// that a draw allows.
picoseconds reach_of_hits(const charges& charged) {
  const picoseconds nearest = std::min(charged.transfer, charged.remote_transfer);
  const picoseconds least = deviating(nearest, charged.jitter_1024ths, least_deviation);
  return std::max<picoseconds>((least - 1) / 2, 0);
}

}  // namespace

simulation::simulation(const settings& chosen)
    : costs_(charges_of(chosen.costs)),
      prices_{from_ns(chosen.prices.fork), from_ns(chosen.prices.call),
              from_ns(chosen.prices.spawn), from_ns(chosen.prices.piece)},
      look_(from_ns(chosen.costs.look)),
      unit_ps_(chosen.unit_ns * 1000),
      random_(schedulers::mixed(chosen.seed + schedulers::golden_gamma) | 1),
      ahead_(chosen.looks_ahead ? reach_of_hits(costs_) : 0),
      probe_(chosen.probe),
      arena_("all job stacks", chosen.job_stacks * job_stack_bytes, job_stack_bytes),
      arena_lines_("the lines of all job stacks", chosen.job_stacks * bytes_of_its_lines),
      names_{"unnamed", "task slots"} {
  current_.lines.resize(names_.size());
  if (running.all != nullptr) throw std::logic_error("there is a simulation already");
  for (std::byte* block = arena_.end(); block != arena_.begin();) {
    block -= job_stack_bytes;
    free_job_stacks_.push_back(block);  // The first one last, so that it is taken first.
  }
  running = {.limit = never,
             .hit = costs_.hit,
             .rmw = costs_.rmw,
             .arena = reinterpret_cast<std::uintptr_t>(arena_.begin()),
             .arena_bytes = arena_.bytes(),
             .arena_lines = reinterpret_cast<line*>(arena_lines_.begin()),
             .all = this};
}

simulation::~simulation() { running = {}; }

// Threads.

thread& simulation::make_thread(std::size_t stack_bytes, std::optional<unsigned> processor,
                                std::function<void()> body) {
  // The lowest number that is free: so workers have the same ones in one scheduler after the other.
  const auto free =
      std::ranges::find_if(threads_, [](const auto& each) { return each == nullptr; });
  const auto index = static_cast<unsigned>(free - threads_.begin());
  if (free == threads_.end()) threads_.emplace_back();
  threads_[index] = std::make_unique<thread>();
  thread& added = *threads_[index];
  added.number = static_cast<thread_number>(index + 1);
  added.processor = processor.value_or(index);
  added.body = std::move(body);
  added.stack =
      operating_system::mapped_memory("a simulated thread's stack", stack_bytes, 1, /*guard=*/true);
  make_context(added.context, added.stack.end(), added.stack.bytes(), &simulation::run_thread,
               &added);
  return added;
}

void simulation::run_thread(void* begun) {
  static_cast<thread*>(begun)->body();
  running.all->end_thread();
}

// Of the running one, which is not switched to again.
void simulation::end_thread() {
  thread& self = *running_;
  self.is_done = true;
  self.clock = running.now;
  if (self.joiner != nullptr) {
    self.joiner->clock = std::max(self.joiner->clock, running.now);
    ready_.add(*self.joiner, self.joiner->clock);
  }
  switch_to(next_to_run());
}

thread& simulation::start(std::size_t stack_bytes, std::optional<unsigned> processor,
                          std::function<void()> body) {
  thread& started = make_thread(stack_bytes, processor, std::move(body));
  started.clock = running.now + costs_.thread_start;
  ready_.add(started, started.clock);
  set_limit();
  return started;
}

void simulation::join(thread& awaited) {
  if (!awaited.is_done) {
    awaited.joiner = running_;
    running_->runs = false;
    running_->clock = running.now;
    switch_to(next_to_run());
  }
  running.now = std::max(running.now, awaited.clock);  // It may have worked ahead, and be done.
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
  if (probe_ != nullptr) (*probe_)();
  running_ = &next;
  running.now = next.clock;
  if (next.is_asleep) {
    wake_up(next);
  } else if (next.runs) {
    running.now += static_cast<picoseconds>(barriers_ - next.barriers_seen) * costs_.interrupt;
  }
  next.runs = true;
  next.barriers_seen = barriers_;
  running.drained = next.drained;
  running.drained_line = next.drained_line;
  running.self = next.number;
  running.own_copies = &next.own_copies;
  set_limit();
}

// A sleeper goes on: it was woken, or its deadline has come.
void simulation::wake_up(thread& sleeper) {
  if (sleeper.awaited != nullptr) {
    sleeper.has_timed_out = true;
    running.now = sleeper.deadline;
    stop_waiting(sleeper);
  }
  sleeper.is_asleep = false;
  const picoseconds asleep = running.now - sleeper.asleep_since;
  sleeper.spent.asleep += asleep;
  if (sleeper.does == activity::searching) sleeper.spent_searching.asleep += asleep;
}

// The running thread has left its clock, and is in the queue or waits for something.
void simulation::switch_to(thread& next) {
  thread& self = *running_;
  self.drained = running.drained;
  self.drained_line = running.drained_line;
  resume(next);
  if (&next == &self) return;
  switch_context(self.context, next.context, exceptions_);
}

void simulation::set_limit() {
  running.limit = ready_.is_empty() ? never : ready_.earliest() + ahead_;
}

void simulation::give_way() {
  // Again where an interrupt has made it later than others meanwhile.
  while (!ready_.is_empty() && running.now > ready_.earliest()) {
    running_->clock = running.now;
    switch_to(ready_.exchange_first(*running_, running.now));
  }
}

void simulation::sleep_for(picoseconds time) {
  running.now += time;
  give_way();
}

// Time.

void simulation::work(std::uint64_t units) {
  const double exact = static_cast<double>(units) * unit_ps_ + running_->owed;
  const auto time = static_cast<picoseconds>(exact);
  running_->owed = exact - static_cast<double>(time);
  running.now += time;
  running_->spent.work += time;
  current_.units += units;
}

void simulation::fence() {
  keep_order();
  drain();
  running.now += costs_.fence;
}

void simulation::system_wide_fence() {
  give_way();
  ++barriers_;
  running_->barriers_seen = barriers_;
  drain();
  charge(costs_.membarrier);
}

bool simulation::wait(const void* word, picoseconds at_most,
                      const std::function<bool()>& is_unchanged) {
  give_way();
  thread& self = *running_;
  self.asleep_since = running.now;
  charge(costs_.system_call);
  give_way();
  if (!is_unchanged()) return true;
  charge(costs_.sleep);
  self.awaited = word;
  self.is_asleep = true;
  self.has_timed_out = false;
  self.clock = running.now;
  sleepers_[word].push_back(&self);
  self.deadline = running.now + at_most;
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
  woken.clock = std::max(woken.clock, running.now + jittered(costs_.wake));
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

}  // namespace stealbench::virtual_machine
