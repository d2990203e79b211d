// Where the cache lines of a simulation are, who waits for them, and the job stacks that have most.
#include <algorithm>
#include <functional>
#include <new>

#include "schedulers/virtual_machine/simulation.hpp"
#include "schedulers/virtual_machine/thread.hpp"

namespace stealbench::virtual_machine {
namespace {

constexpr std::uint8_t unnamed = 0;
constexpr std::uint8_t task_slots = 1;
// Prime, so that neighbouring lines of one job stack are far from those of the next one.
constexpr std::uintptr_t most_in_turn = 4099;

}  // namespace

line& simulation::line_elsewhere(const void* place) {
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(place) / line_bytes;
  recent_line& recent = recent_lines_[address % recent_lines_.size()];
  if (recent.address == address) return *recent.found;
  std::unique_ptr<line>& found = other_lines_[address];
  if (found == nullptr) found = std::make_unique<line>();
  recent = {address, found.get()};
  return *found;
}

bool simulation::is_remote(thread_number owner) const {
  const auto socket_of = [&](const thread& on) {
    return costs_.processors_per_socket == 0 ? 0 : on.processor / costs_.processors_per_socket;
  };
  const thread* const holder = threads_[owner - 1U].get();  // Null if it has ended.
  return holder != nullptr && socket_of(*holder) != socket_of(*running_);
}

picoseconds simulation::transfer(bool is_remote) {
  return jittered(is_remote ? costs_.remote_transfer : costs_.transfer);
}

// From the owner.
picoseconds simulation::transfer_to_read(line& wanted) {
  const bool comes_far = is_remote(wanted.owner);
  if (comes_far) wanted.has_remote_copy = true;
  return transfer(comes_far);
}

// From whoever has the line or a copy of it.
picoseconds simulation::transfer_to_write(const line& to) {
  return transfer(to.has_remote_copy || is_remote(to.owner));
}

void simulation::await_line(picoseconds when, std::uint8_t name) {
  const picoseconds time = when - running.now;
  running.now = when;
  if (running.self > workers_in_window_) return;
  line_wait& waits = current_.lines[name];
  waits.time += time;
  ++waits.waits;
  running_->spent.lines += time;
  if (running_->does == activity::searching) running_->spent_searching.lines += time;
  running_->awaited_line = name;
  running_->line_arrives = when;
}

void simulation::arrive(picoseconds when, const void* place, line& what) {
  await_line(when, name_of(place, what));
  give_way();
}

void simulation::drain() {
  if (running.drained > running.now) await_line(running.drained, running.drained_line);
}

void simulation::read_other(const void* place, line& wanted) {
  copy_from(place, wanted);
  running.now += costs_.hit;
}

// Looks once more when the running thread is the earliest: until then the line may have come.
void simulation::copy_from(const void* place, line& wanted) {
  if (!read_hits(wanted, running.self, running_->own_copies, running.now)) {
    give_way();
    if (wanted.owner == 0) claim(wanted, running.self);
    if (!read_hits(wanted, running.self, running_->own_copies, running.now)) {
      if (wanted.number == 0) number(place, wanted);
      const picoseconds own = own_arrival(wanted, running.self);
      arrive(own > running.now ? own
                               : fetch_copy(wanted, running_->own_copies, running.now,
                                            transfer_to_read(wanted), costs_.shared_gap),
             place, wanted);
    }
  }
}

void simulation::read_plain_other(const void* place, line& wanted, const char* text) {
  name(place, 1, text);
  copy_from(place, wanted);
}

// Side by side are the copies of lines at one place of several job stacks: thieves look at these in
// turn.
void simulation::number(const void* place, line& what) {
  what.number = ++line_numbers_;
  const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(place) - running.arena;
  const std::uintptr_t in_turn =
      offset < running.arena_bytes
          ? offset / job_stack_bytes + offset % job_stack_bytes / line_bytes * most_in_turn
          : what.number;
  what.place = static_cast<std::uint16_t>(in_turn % copies::size);
}

// A store that misses waits in the store buffer, and its thread goes on.
void simulation::write_other(const void* place, line& to) {
  write_plain_other(place, to);
  running.now += costs_.hit;
}

void simulation::write_plain_other(const void* place, line& to) {
  give_way();
  if (to.owner == 0) claim(to, running.self);
  if (!write_hits(to, running.self, running.now)) {
    const picoseconds done =
        fetch_for_store(to, running.self, running_->own_copies, running.now, transfer_to_write(to));
    if (done > running.drained) {
      running.drained = done;
      running.drained_line = name_of(place, to);
    }
  }
}

void simulation::change_other(const void* place, line& to) {
  give_way();
  if (to.owner == 0) claim(to, running.self);
  if (!write_hits(to, running.self, running.now)) {
    arrive(fetch_line(to, running.self, running_->own_copies, running.now, transfer_to_write(to)),
           place, to);
  }
  running.now += costs_.rmw;
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
  return reinterpret_cast<std::uintptr_t>(place) - running.arena < running.arena_bytes ? task_slots
                                                                                       : unnamed;
}

std::byte* simulation::take_job_stack() {
  if (free_job_stacks_.empty()) throw std::bad_alloc();
  std::byte* const taken = free_job_stacks_.back();
  free_job_stacks_.pop_back();
  return taken;
}

void simulation::give_back_job_stack(std::byte* block) {
  operating_system::clear_pages(block, job_stack_bytes);
  const auto number = static_cast<std::size_t>(block - arena_.begin()) / job_stack_bytes;
  operating_system::clear_pages(arena_lines_.begin() + number * bytes_of_its_lines,
                                bytes_of_its_lines);
  // As if it had never been taken: the lowest free one is taken next.
  const auto above = std::ranges::lower_bound(free_job_stacks_, block, std::greater<>{});
  free_job_stacks_.insert(above, block);
}

}  // namespace stealbench::virtual_machine
