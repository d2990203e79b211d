// The first word of a slot: what kind of job lies there, and whether it is still to be run.
#pragma once

#include <cstdint>

#include "schedulers/engine/memory_model.hpp"

namespace stealbench::engine {

/// A slot is *open* from the moment its owner offers a job until the owner joins it; a slot that is
/// not open is free, or its job is being joined. A closed slot still tells the kind of its latest
/// job, for a thief that has claimed the job while the owner was closing it. All zero bits: closed.
///
/// Written by the owner of the slot alone. `Kind` is an object that lives as long as the program.
template <class Kind, class M>
class job_entry {
 public:
  /// What the owner wrote before an open() with release is visible to who sees it by is_open() with
  /// acquire.
  [[gnu::always_inline]] void open(const Kind& kind, order o) { word_.store(closed(kind) + 1, o); }
  [[gnu::always_inline]] void close(const Kind& kind, order o) { word_.store(closed(kind), o); }

  [[nodiscard, gnu::always_inline]] bool is_open(order o) const { return is_open(word_.load(o)); }
  /// Of the latest job. Requires: there has been one.
  [[nodiscard]] const Kind& kind(order o) const {
    char* const word = word_.load(o);
    return *reinterpret_cast<const Kind*>(is_open(word) ? word - 1 : word);
  }

 private:
  // An address plus one, and not a number with a bit set: so both words are constants to the
  // linker.
  static char* closed(const Kind& kind) {
    static_assert(alignof(Kind) >= 2,
                  "the lowest bit of its address says whether the slot is open");
    // Relacy has no pointers to const; nothing is written through this one.
    return reinterpret_cast<char*>(const_cast<Kind*>(&kind));
  }
  static bool is_open(char* word) { return reinterpret_cast<std::uintptr_t>(word) % 2 != 0; }

  typename M::template atomic<char*> word_;
};

}  // namespace stealbench::engine
