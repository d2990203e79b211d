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
  picoseconds arrives;     ///< When the latest transfer ends: the next one begins no earlier.
  picoseconds leaves;      ///< Until then the line is where it was, though it has been asked for.
  picoseconds fetched;     ///< When its owner has it.
  std::uint32_t number;    ///< Its own, or 0 before a copy of it has been made.
  std::uint32_t version;   ///< Counts its owners: a copy of an earlier version is invalid.
  thread_number owner;     ///< Who wrote it last.
  thread_number former;    ///< Who had it before, exclusively or not.
  std::uint16_t place;     ///< Of copies of it; see copies.
  std::uint8_t name;       ///< Of what is in it; see simulation::name.
  bool is_exclusive : 1;   ///< Whether its owner has the only copy.
  bool was_exclusive : 1;  ///< Whether its former owner had it.
};
static_assert(sizeof(line) == 40);

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

/// A read finds the line, or a copy of it, in its own cache: also one that another thread has asked
/// for, until it leaves. But not one that a store of its own has fetched, before it is there;
/// unless there was a copy before.
[[nodiscard]] inline bool read_hits(const line& wanted, thread_number reader, const copies& own,
                                    picoseconds now) {
  if (wanted.owner == reader) {
    return now >= wanted.fetched || wanted.former == reader || own.has_former(wanted);
  }
  if (own.has(wanted)) return true;
  return now < wanted.leaves && (wanted.former == reader || own.has_former(wanted));
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

/// The line becomes the writer's and no other's; returns when it is there. Requires: no hit.
inline picoseconds fetch_line(line& to, thread_number writer, picoseconds now,
                              picoseconds transfer) {
  to.arrives = std::max(now, to.arrives) + transfer;
  to.leaves = to.arrives - transfer / 2;
  to.fetched = to.arrives;
  to.former = to.owner;
  to.was_exclusive = to.is_exclusive;
  to.owner = writer;
  to.is_exclusive = true;
  ++to.version;
  return to.arrives;
}

/// The first touch of a line.
inline void claim(line& untouched, thread_number by) {
  untouched.owner = by;
  untouched.is_exclusive = true;
}

}  // namespace stealbench::virtual_machine
