// Jobs with an affinity for a worker (Acar, Blelloch & Blumofe, SPAA 2000): the mailbox in which a
// worker finds them, and the claim that decides who runs a job that is in a mailbox and in a deque.
// The protocol, its edges M1 to M3 and what is not covered stand in mailbox.md;
// verify/work_stealing/mailbox_relacy.cpp checks this very file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "schedulers/engine/memory_model.hpp"
#include "schedulers/engine/std_machine.hpp"

namespace stealbench::work_stealing {

/// One ordering per atomic operation, so that verify/ can weaken one at a time.
///   M1  a job is written before it is open to claims, and read by who has claimed it;
///   M2  a letter is written before its place is filled, and its job is open by then;
///   M3  a place is filled again after the letter was read out of it.
struct mailbox_orderings {
  using order = engine::order;

  // open_to_all, by the owner of the job.
  order open = order::release;  // M1: pairs with claim

  // is_open and claim, by any worker.
  order claim_look = order::relaxed;     // claim decides
  order claim = order::acquire;          // M1: pairs with open
  order claim_failure = order::relaxed;  // the job is another's: nothing is read

  // post, by any worker.
  order post_tail_load = order::relaxed;     // post_tail validates it
  order post_look = order::acquire;          // M3: pairs with take_free
  order post_tail = order::relaxed;          // hands out numbers and nothing else
  order post_tail_failure = order::relaxed;  // likewise
  order post_fill = order::release;          // M2: pairs with take_look

  // take, by the owner of the mailbox.
  order take_look = order::acquire;  // M2: pairs with post_fill
  order take_free = order::release;  // M3: pairs with post_look
};

inline constexpr mailbox_orderings mailbox_shipped{};

/// The word of a job that can be claimed: 0, or `open`, or what whoever runs the job has written
/// there. The job of a slot that is not open belongs to one worker already, or was never mailed.
template <class Word, const mailbox_orderings& Orderings = mailbox_shipped>
struct job_claim {
  static constexpr std::uint32_t open = std::numeric_limits<std::uint32_t>::max();

  /// By the owner of the job, once it is written and before any other can find it. A letter of an
  /// earlier job in the same slot may lead to it at once.
  static void open_to_all(Word& word) { word.store(open, Orderings.open); }

  /// Whether none has claimed it so far. A hint.
  [[nodiscard]] static bool is_open(Word& word) { return word.load(Orderings.claim_look) == open; }

  /// Whether the job is the caller's to run, as it is for one caller of all. What its owner wrote
  /// before open_to_all is then visible. The word is 0 again. Wait-free.
  [[nodiscard]] static bool claim(Word& word) {
    std::uint32_t seen = word.load(Orderings.claim_look);
    // Not tried in vain: many letters are found after their jobs have been run.
    return seen == open &&
           word.compare_exchange_strong(seen, 0, Orderings.claim, Orderings.claim_failure);
  }
};

/// Letters for one worker, oldest first, in a bounded ring with a turn for each place (Vyukov's
/// bounded queue). A letter is a hint: one for which there is no room is dropped, as its job is in
/// a deque as well, and one whose job has been claimed stays until it is taken.
template <class Letter, class M = engine::std_machine,
          const mailbox_orderings& Orderings = mailbox_shipped>
class mailbox {
 public:
  /// `capacity` in letters, 2 at least, so that a full place and a free one differ in their turns;
  /// or 0: neither post nor take is called. Throws std::bad_alloc.
  explicit mailbox(std::size_t capacity) : places_(capacity) {
    for (std::size_t i = 0; i < capacity; ++i) {
      places_[i].turn.store(i, engine::order::relaxed);  // before any other thread
    }
    M::name(tail_, "mailboxes: tail");
  }
  mailbox(const mailbox&) = delete;
  mailbox& operator=(const mailbox&) = delete;
  ~mailbox() = default;

  /// Any thread. False if it is full, as far as the caller can tell. Lock-free.
  bool post(Letter* letter) {
    std::uint64_t tail = tail_.load(Orderings.post_tail_load);
    place* chosen = nullptr;
    do {
      chosen = &place_of(tail);
      // A later turn: the tail is an old one, and the exchange fails.
      if (chosen->turn.load(Orderings.post_look) < tail) return false;
    } while (!tail_.compare_exchange_strong(tail, tail + 1, Orderings.post_tail,
                                            Orderings.post_tail_failure));
    chosen->letter.write(letter);
    chosen->turn.store(tail + 1, Orderings.post_fill);
    return true;
  }

  /// Owner only. The oldest letter, or null if there is none, or it is about to be written.
  /// Wait-free.
  [[nodiscard]] Letter* take() {
    place& oldest = place_of(head_);
    if (oldest.turn.load(Orderings.take_look) != head_ + 1) return nullptr;
    Letter* const letter = oldest.letter.read();
    oldest.turn.store(head_ + places_.size(), Orderings.take_free);
    ++head_;
    return letter;
  }

 private:
  /// Free for the letter whose number is its turn; holds the letter of the number before.
  struct place {
    typename M::template atomic<std::uint64_t> turn;  // Written by senders and the owner.
    typename M::template plain<Letter*> letter{nullptr};
  };
  place& place_of(std::uint64_t number) { return places_[number % places_.size()]; }

  std::vector<place> places_;
  std::uint64_t head_ = 0;                                          // The owner's.
  alignas(64) typename M::template atomic<std::uint64_t> tail_{0};  // Written by senders.
};

}  // namespace stealbench::work_stealing
