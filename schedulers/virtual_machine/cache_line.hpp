// The model of a cache line: who has it, and when it arrives elsewhere. README.md argues for each
// rule.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "schedulers/operating_system/mapped_memory.hpp"

namespace stealbench::virtual_machine {

using picoseconds = std::int64_t;

/// Number of a thread, from 1; 0 is none.
using thread_number = std::uint16_t;

inline constexpr std::size_t line_bytes = 64;

/// What is known of one line. All zero: no thread has touched it.
struct line {
  picoseconds arrives;  ///< When the latest transfer ends: the next one begins no earlier.
  picoseconds leaves;   ///< Until then it can be written where it was before the latest request.
  picoseconds taken;    ///< Until then it can be read where it was before its latest owner's.
  picoseconds fetched;  ///< From when its owner can read it.
  picoseconds former_fetched;  ///< The same of its former owner.
  std::uint32_t number;        ///< Its own, or 0 before a copy of it has been made.
  std::uint32_t version;       ///< Counts its owners: a copy of an earlier version is invalid.
  thread_number owner;         ///< Who wrote it last.
  thread_number former;        ///< Who had it before, exclusively or not.
  std::uint16_t place;         ///< Of copies of it; see copies.
  std::uint8_t name;           ///< Of what is in it; see simulation::name.
  bool is_exclusive : 1;       ///< Whether its owner has the only copy.
  bool was_exclusive : 1;      ///< Whether its former owner had it.
  bool has_remote_copy : 1;    ///< Whether one may be on another socket than its owner.
};
static_assert(sizeof(line) == 56);

/// The copies that one thread has of lines that others own: as many as a direct-mapped cache keeps.
/// A copy is known by the number of its line and that line's version, and is at the line's place.
class copies {
 public:
  /// 512 KiB of lines, half of a second-level cache. More than 4096, so that a thief can have a
  /// copy of every other worker's border.
  static constexpr std::size_t size = 8192;

  copies() : memory_("a cache", size * sizeof(entry)) {}

  [[nodiscard]] bool has(const line& what) const { return is_current(what, what.version); }
  /// Of the version before the line's latest owner.
  [[nodiscard]] bool has_former(const line& what) const {
    return is_current(what, what.version - 1);
  }
  void add(const line& what) { entries()[what.place] = {what.number, what.version}; }

 private:
  struct entry {
    std::uint32_t number;
    std::uint32_t version;
  };

  // Zero memory begins the lifetime of an array of these (implicit object creation).
  [[nodiscard]] entry* entries() const { return reinterpret_cast<entry*>(memory_.begin()); }

  [[nodiscard]] bool is_current(const line& what, std::uint32_t version) const {
    const entry& found = entries()[what.place];
    return what.number != 0 && found.number == what.number && found.version == version;
  }

  operating_system::mapped_memory
      memory_;  // Committed page by page: with few workers, few lines have copies.
};

/// A read finds the line, or a copy of it, in its own cache: also one that a writer has asked for,
/// until it is taken. But not one that a store of its own has fetched, before it is there.
[[nodiscard]] inline bool read_hits(const line& wanted, thread_number reader, const copies& own,
                                    picoseconds now) {
  if (wanted.owner == reader) return now >= wanted.fetched;
  if (own.has(wanted)) return true;
  if (now >= wanted.taken) return false;
  return (wanted.former == reader && now >= wanted.former_fetched) || own.has_former(wanted);
}

/// When the line is there that a store of the reader has fetched; in the past if none has, or if
/// another's has taken it before. Requires: no hit.
[[nodiscard]] inline picoseconds own_arrival(const line& wanted, thread_number reader) {
  if (wanted.owner == reader) return wanted.fetched;
  return wanted.former == reader && wanted.former_fetched < wanted.taken ? wanted.former_fetched
                                                                         : 0;
}

/// A write finds the line in its own cache, and no other copy: also where a reader's request is
/// under way.
[[nodiscard]] inline bool write_hits(const line& to, thread_number writer, picoseconds now) {
  if (to.owner == writer && to.is_exclusive) return true;
  if (now >= to.leaves) return false;
  return to.is_exclusive ? to.was_exclusive && to.former == writer : to.owner == writer;
}

/// A copy goes to a reader; returns when it is there. From the owner's cache a line goes once per
/// transfer; one that several caches have is handed out every `gap`. Requires: no hit.
inline picoseconds fetch_copy(line& wanted, copies& own, picoseconds now, picoseconds transfer,
                              picoseconds gap) {
  const picoseconds begins = std::max(now, wanted.arrives);
  if (wanted.is_exclusive) {
    wanted.arrives = begins + transfer;
    wanted.leaves = wanted.arrives - transfer / 2;
    wanted.is_exclusive = false;
  } else {
    wanted.arrives = begins + gap;
  }
  own.add(wanted);
  return begins + transfer;
}

/// The line becomes the writer's and no other's; returns when it is there. A copy of the writer's
/// can be read meanwhile. Requires: no hit.
inline picoseconds fetch_line(line& to, thread_number writer, const copies& own, picoseconds now,
                              picoseconds transfer) {
  const bool has_copy = to.owner == writer || own.has(to);
  to.arrives = std::max(now, to.arrives) + transfer;
  to.leaves = to.taken = to.arrives - transfer / 2;
  to.former = to.owner;
  to.former_fetched = to.fetched;
  to.was_exclusive = to.is_exclusive;
  to.fetched = has_copy ? now : to.arrives;
  to.owner = writer;
  to.is_exclusive = true;
  to.has_remote_copy = false;
  ++to.version;
  return to.arrives;
}

/// As fetch_line for a store, which does not wait: what it stores can be read from now on, so that
/// no other thread may have the line until it comes from here.
inline picoseconds fetch_for_store(line& to, thread_number writer, const copies& own,
                                   picoseconds now, picoseconds transfer) {
  const picoseconds done = fetch_line(to, writer, own, now, transfer);
  to.leaves = to.taken = now;
  return done;
}

/// The first touch of a line.
inline void claim(line& untouched, thread_number by) {
  untouched.owner = by;
  untouched.is_exclusive = true;
}

}  // namespace stealbench::virtual_machine
