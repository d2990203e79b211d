// A block-based work-stealing deque after Wang et al. (BWoS, OSDI 2023): the jobs are in blocks, of
// which the owner has one for itself, and thieves those that it has left. The protocol, its edges
// B1 to B5, what differs from the paper and what is not covered are in bwos_deque.md;
// verify/work_stealing/bwos_deque_relacy.cpp checks this very file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "schedulers/engine/memory_model.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/work_stealing/protocols/bwos_block.hpp"
#include "schedulers/work_stealing/protocols/deque.hpp"

namespace stealbench::work_stealing {

/// A deque (deque.hpp). Within its block the owner passes no fence and no atomic read-modify-write;
/// at the boundary of two blocks it passes one. Bounded: a push is refused while all blocks are in
/// use.
template <class T, class M = engine::std_machine, const bwos_orderings& Orderings = bwos_shipped>
class bwos_deque {
 public:
  using value_type = T;
  static constexpr bool grows = false;
  static constexpr bool has_private_jobs = true;
  /// At most, in jobs. Beyond it forks are calls.
  static constexpr std::size_t most_jobs = std::size_t{1} << 13;
  /// Jobs of a block, at most. So many that a program that divides is seldom at a boundary of
  /// blocks: half of 2^32 pieces are within the first one. Four cache lines of jobs.
  static constexpr std::size_t most_in_block = 32;

  /// Room for `max_capacity` jobs, or `most_jobs` if that is less, in four blocks at least if it is
  /// more than two. Both capacities are powers of two. Throws std::invalid_argument or
  /// std::bad_alloc.
  bwos_deque(std::size_t initial_capacity, std::size_t max_capacity)
      : block_size_(std::clamp<std::size_t>(max_capacity / 4, 1, most_in_block)),
        blocks_in_all_((std::min)(max_capacity, most_jobs) / block_size_) {
    check_capacities(initial_capacity, max_capacity);
    slots_.reset(new (std::nothrow) slot[block_size_ * blocks_in_all_]);
    blocks_.reset(new (std::nothrow) block[blocks_in_all_]);
    if (slots_ == nullptr || blocks_ == nullptr) throw std::bad_alloc();
    enter(0, blocks_[0].claim.load(engine::order::relaxed));  // no other thread is there yet
    M::name(oldest_, "deques: oldest block");
    M::name(current_, "deques: owner's block");
  }

  /// Owner only. False while no block is free.
  [[nodiscard]] bool push(T job) {
    std::uint32_t bottom = mine_->bottom.load(Orderings.push_bottom_load);
    if (bottom == block_size_) [[unlikely]] {
      if (!go_up()) return false;
      bottom = 0;
    }
    mine_slots_[bottom].store(job, Orderings.push_slot);
    mine_->bottom.store(bottom + 1, Orderings.push_bottom);
    return true;
  }

  /// Owner only.
  [[nodiscard]] T pop() {
    std::uint32_t bottom = mine_->bottom.load(Orderings.pop_bottom_load);
    if (bottom == front_) [[unlikely]] {
      return pop_below();
    }
    mine_->bottom.store(--bottom, Orderings.pop_bottom);
    if (Orderings.light) M::light_fence();
    if (mine_->claim.load(Orderings.pop_claim) == closed_) [[likely]] {
      return mine_slots_[bottom].load(Orderings.pop_slot);
    }
    return pop_public(bottom);
  }

  /// Any thread but the owner. If the oldest job is in the owner's block this costs an
  /// M::heavy_fence(), which opens that block.
  [[nodiscard]] stolen<T> steal() {
    const stolen<T> granted = steal_granted();
    if (granted.outcome != steal_outcome::empty || !force()) return granted;
    return steal_granted();
  }

  /// The same of the blocks that the owner has granted; empty if there is no other.
  [[nodiscard]] stolen<T> steal_granted() {
    for (std::size_t tries = 0; tries < blocks_in_all_; ++tries) {
      const std::uint64_t number = oldest_.load(Orderings.steal_oldest);
      block& oldest = block_of(number);
      std::uint64_t claim = oldest.claim.load(Orderings.steal_claim);
      // Behind the claim: it is this block's, and not that of a later one in the same memory.
      if (oldest_.load(Orderings.steal_oldest_again) != number) break;
      if (is_exhausted(claim) || (!Orderings.waits_at_closed && seems_left(claim, number))) {
        advance(number);
        continue;
      }
      if (!is_granted(claim)) return {steal_outcome::empty, nullptr};
      const std::uint32_t index = bwos_claim::index_of(claim);
      if (index >= oldest.bottom.load(Orderings.steal_bottom))
        return {steal_outcome::empty, nullptr};
      // Before the exchange: afterwards the owner may reuse the slot. If the claim has changed by
      // now the slot may hold any job, and the exchange fails.
      T job = slots_of(number)[index].load(Orderings.steal_slot);
      if (!oldest.claim.compare_exchange_strong(claim, claim + bwos_claim::one,
                                                Orderings.steal_take, Orderings.failure)) {
        break;
      }
      return {steal_outcome::taken, job};
    }
    return {steal_outcome::lost, nullptr};
  }

  /// Owner only: another worker asks for work. Grants the owner's own block, unless there are
  /// others for thieves. The next pop takes it back.
  void expose() {
    if (oldest_.load(Orderings.hint) != number_ ||
        mine_->bottom.load(Orderings.push_bottom_load) == front_) {
      return;
    }
    std::uint64_t seen = closed_;
    // If it fails a thief has opened the block, or is about to.
    mine_->claim.compare_exchange_strong(seen, bwos_claim::with(closed_, bwos_claim::open),
                                         Orderings.expose, Orderings.failure);
  }

  /// O(blocks in use).
  [[nodiscard]] std::size_t size_hint() const {
    std::uint64_t number = oldest_.load(Orderings.hint);
    const std::uint64_t last = current_.load(Orderings.hint);
    std::size_t jobs = 0;
    for (; number <= last; ++number) {
      const block& each = block_of(number);
      const std::uint32_t front = bwos_claim::index_of(each.claim.load(Orderings.hint));
      const std::uint32_t bottom = each.bottom.load(Orderings.hint);
      jobs += bottom > front ? bottom - front : 0;
    }
    return jobs;
  }

  [[nodiscard]] bool looks_empty() const { return size_hint() == 0; }

  [[nodiscard]] std::size_t capacity() const { return block_size_ * blocks_in_all_; }

  [[nodiscard]] std::size_t bytes() const {
    return blocks_in_all_ * sizeof(block) + capacity() * sizeof(slot);
  }

 private:
  using block = bwos_block<M>;
  using slot = typename M::template atomic<T>;

  [[nodiscard]] block& block_of(std::uint64_t number) const {
    return blocks_[number & (blocks_in_all_ - 1)];
  }
  [[nodiscard]] slot* slots_of(std::uint64_t number) const {
    return slots_.get() + (number & (blocks_in_all_ - 1)) * block_size_;
  }

  [[nodiscard]] static bool is_granted(std::uint64_t claim) {
    return bwos_claim::state(claim) >= bwos_claim::open;
  }
  // Left by its owner for good, and all its jobs are taken: it stays so until the memory is used
  // for a later block.
  [[nodiscard]] bool is_exhausted(std::uint64_t claim) const {
    return bwos_claim::state(claim) == bwos_claim::sealed &&
           bwos_claim::index_of(claim) == block_size_;
  }
  // The mistake of a mutant: that a block that is not granted has nothing left.
  [[nodiscard]] bool seems_left(std::uint64_t claim, std::uint64_t number) const {
    return !is_granted(claim) && number < current_.load(Orderings.hint);
  }

  // The oldest block is exhausted. Fails if another thread has said so.
  void advance(std::uint64_t number) {
    oldest_.compare_exchange_strong(number, number + 1, Orderings.advance, Orderings.failure);
  }

  // Opens the owner's block, if there are jobs in it. Returns whether it may be open now.
  [[gnu::noinline, gnu::cold]] bool force() {
    const std::uint64_t number = oldest_.load(Orderings.steal_oldest);
    block& oldest = block_of(number);
    std::uint64_t claim = oldest.claim.load(Orderings.steal_claim);
    if (is_granted(claim)) return false;
    // A look that saves the system call.
    if (oldest.bottom.load(Orderings.hint) <= bwos_claim::index_of(claim)) return false;
    const std::uint64_t requested = bwos_claim::with(claim, bwos_claim::requested);
    if (claim != requested && !oldest.claim.compare_exchange_strong(
                                  claim, requested, Orderings.force_ask, Orderings.failure)) {
      return false;
    }
    if (Orderings.heavy) M::heavy_fence();
    if (oldest.bottom.load(Orderings.force_bottom) <= bwos_claim::index_of(requested)) return false;
    claim = requested;
    return oldest.claim.compare_exchange_strong(claim,
                                                bwos_claim::with(requested, bwos_claim::open),
                                                Orderings.force_grant, Orderings.failure);
  }

  // The owner's own notes on the block that it is in, which is closed.
  void enter(std::uint64_t number, std::uint64_t closed) {
    number_ = number;
    mine_ = &block_of(number);
    mine_slots_ = slots_of(number);
    closed_ = closed;
    front_ = bwos_claim::index_of(closed);
  }

  // Takes a block from the thieves, or one in which they were about to. Returns the closed claim.
  std::uint64_t close(block& taken, std::uint64_t seen) {
    std::uint64_t closed = 0;
    do {
      closed = bwos_claim::next_round(seen, bwos_claim::closed, bwos_claim::index_of(seen),
                                      Orderings.rounds);
    } while (!taken.claim.compare_exchange_strong(seen, closed, Orderings.close,
                                                  Orderings.close_failure));
    return closed;
  }

  // The block is open, or about to be, and the owner has claimed a job of it.
  [[nodiscard, gnu::noinline, gnu::cold]] T pop_public(std::uint32_t bottom) {
    enter(number_, close(*mine_, mine_->claim.load(Orderings.close_load)));
    if (front_ <= bottom) return mine_slots_[bottom].load(Orderings.pop_slot);
    return pop_below();  // Thieves were here, so all older blocks are exhausted.
  }

  // The owner's block is empty: goes down to the one below, if thieves have left anything there.
  [[nodiscard, gnu::noinline, gnu::cold]] T pop_below() {
    // Below the oldest block the memory may serve a later one already. If it does, the owner has
    // seen that the oldest block is above.
    if (number_ > oldest_.load(Orderings.hint)) {
      block& below = block_of(number_ - 1);
      std::uint64_t claim = below.claim.load(Orderings.close_load);
      while (!is_exhausted(claim)) {
        const std::uint64_t closed = bwos_claim::next_round(
            claim, bwos_claim::closed, bwos_claim::index_of(claim), Orderings.rounds);
        if (!below.claim.compare_exchange_strong(claim, closed, Orderings.close,
                                                 Orderings.close_failure)) {
          continue;
        }
        enter(number_ - 1, closed);
        current_.store(number_, Orderings.current);
        return pop();
      }
    }
    if (front_ > 0) reopen(*mine_, number_, closed_);
    return nullptr;
  }

  // Makes an empty block one for the owner alone, with all its slots. Bottom first: who sees the
  // claim sees it, and opens nothing that was there before.
  void reopen(block& empty, std::uint64_t number, std::uint64_t claim) {
    empty.bottom.store(0, Orderings.reopen_bottom);
    const std::uint64_t closed =
        bwos_claim::next_round(claim, bwos_claim::closed, 0, Orderings.rounds);
    empty.claim.store(closed, Orderings.reopen_claim);
    enter(number, closed);
  }

  // The owner's block is full: leaves it to the thieves and goes on in the next one.
  [[nodiscard, gnu::noinline, gnu::cold]] bool go_up() {
    const std::uint64_t next = number_ + 1;
    std::uint64_t oldest = oldest_.load(Orderings.up_oldest);
    if (next - oldest >= blocks_in_all_) {
      if (blocks_in_all_ == 1 ||
          !is_exhausted(block_of(oldest).claim.load(Orderings.steal_claim))) {
        return false;
      }
      advance(oldest);  // Here, or by a thief: as far as the next block's memory it is free.
    }
    block& left = *mine_;
    const std::uint64_t claim = block_of(next).claim.load(Orderings.close_load);
    reopen(block_of(next), next, claim);
    current_.store(next, Orderings.current);
    std::uint64_t seen = left.claim.load(Orderings.seal_load);
    while (!left.claim.compare_exchange_strong(seen, bwos_claim::with(seen, bwos_claim::sealed),
                                               Orderings.seal, Orderings.failure)) {
    }
    return true;
  }

  // Read by all, never written.
  const std::size_t block_size_;
  const std::size_t blocks_in_all_;
  std::unique_ptr<block[]> blocks_;
  std::unique_ptr<slot[]> slots_;

  // Thieves' line: the number of the oldest block that is not known to be exhausted.
  alignas(line_bytes) typename M::template atomic<std::uint64_t> oldest_{0};

  // Owner's line. What has no atomic type the owner alone reads.
  alignas(line_bytes) typename M::template atomic<std::uint64_t> current_{0};  // As number_.
  block* mine_ = nullptr;
  slot* mine_slots_ = nullptr;
  std::uint64_t number_ = 0;
  std::uint64_t closed_ = 0;  // Its claim while no thief has asked for it.
  std::uint32_t front_ = 0;   // Below it all jobs of the block are stolen.
};

static_assert(deque<bwos_deque<int*>>);

}  // namespace stealbench::work_stealing
