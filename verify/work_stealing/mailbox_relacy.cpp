// The mailbox and the claim of schedulers/work_stealing/mailbox.hpp. Invariants: each job runs
// once, whoever finds it, and the letters of an earlier job in its slot included; what its owner
// wrote is there; no letter comes twice, and one that comes finds its job open. The payloads are
// plain, so that Relacy sees any race on them.
#include <array>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <utility>
#include <vector>

#include "schedulers/work_stealing/mailbox.hpp"
#include "verify/explore.hpp"
#include "verify/mutation.hpp"

namespace stealbench::verify {
namespace {

using work_stealing::mailbox_orderings;
using work_stealing::mailbox_shipped;
using word = relacy_machine::zeroed_atomic<std::uint32_t>;

/// A slot, as far as it matters here.
struct job {
  word claim{};
  relacy_machine::plain<std::size_t> payload{0};
  int runs = 0;  // the suite's own record, no part of what is checked
};

/// How many letters the ring holds, the senders post each, and how often the addressee looks.
struct post_script {
  std::size_t capacity;
  std::size_t letters;
  int looks;
};

/// Senders post letters, and run a job themselves if its letter is refused.
template <rl::thread_id_t Senders, post_script Script, const mailbox_orderings& Orderings>
class posting : public rl::test_suite<posting<Senders, Script, Orderings>, Senders + 1> {
  using claim = work_stealing::job_claim<word, Orderings>;

 public:
  void before() { mailbox_.emplace(Script.capacity); }

  void thread(unsigned who) {
    if (who == 0) {
      for (int i = 0; i < Script.looks; ++i) take();
      return;
    }
    for (std::size_t i = 0; i < Script.letters; ++i) {
      const std::size_t id = (who - 1) * Script.letters + i;
      jobs_[id].payload.write(id);
      claim::open_to_all(jobs_[id].claim);
      if (!mailbox_->post(&jobs_[id])) {
        expect(claim::claim(jobs_[id].claim), "a job whose letter is dropped is its owner's");
        ++jobs_[id].runs;
      }
    }
  }

  void after() {
    while (take()) {
    }
    for (const job& each : jobs_) expect(each.runs == 1, "no letter is lost on the way");
  }

 private:
  bool take() {
    job* const letter = mailbox_->take();
    if (letter == nullptr) return false;
    expect(claim::claim(letter->claim), "who finds a letter first finds its job open");
    const std::size_t id = letter->payload.read();
    expect(letter == &jobs_[id], "the payload is the one that was written");
    expect(++letter->runs == 1, "no letter comes twice");
    const std::size_t sender = id / Script.letters;
    expect(next_[sender] <= id % Script.letters, "a sender's letters come in order");
    next_[sender] = id % Script.letters + 1;
    return true;
  }

  boxed<work_stealing::mailbox<job, relacy_machine, Orderings>> mailbox_;
  std::array<job, Senders * Script.letters> jobs_;
  std::array<std::size_t, Senders> next_{};
};

/// Two jobs, one after the other in one slot. Their owner, the addressee of a letter and a worker
/// with an old letter want them.
template <rl::thread_id_t Others, const mailbox_orderings& Orderings>
class claiming : public rl::test_suite<claiming<Others, Orderings>, Others + 1> {
  using claim = work_stealing::job_claim<word, Orderings>;
  using order = engine::order;

 public:
  void before() { mailbox_.emplace(std::size_t{2}); }

  void thread(unsigned who) {
    if (who == 0) {
      for (std::size_t life = 1; life <= lives; ++life) fork_and_join(life);
    } else if (who == 1) {
      for (std::size_t i = 0; i < lives; ++i) {
        job* const letter = mailbox_->take();
        if (letter != nullptr && claim::claim(letter->claim)) run();
      }
    } else {
      for (std::size_t i = 0; i < lives; ++i) {
        if (claim::is_open(job_.claim) && claim::claim(job_.claim)) run();
      }
    }
  }

  void after() {
    for (std::size_t life = 1; life <= lives; ++life) expect(runs_[life] == 1, "a job runs once");
  }

 private:
  static constexpr std::size_t lives = 2;

  void fork_and_join(std::size_t life) {
    job_.payload.write(life);
    claim::open_to_all(job_.claim);
    static_cast<void>(mailbox_->post(&job_));
    if (claim::claim(job_.claim)) {
      ++runs_[job_.payload.read()];
    } else {
      // As a latch does.
      while (finished_.load(order::acquire) != life) relacy_machine::spin();
    }
  }
  void run() {
    const std::size_t life = job_.payload.read();
    ++runs_[life];
    job_.payload.write(0);
    finished_.store(life, order::release);
  }

  boxed<work_stealing::mailbox<job, relacy_machine, Orderings>> mailbox_;
  job job_;
  relacy_machine::atomic<std::size_t> finished_{0};
  std::array<int, lives + 1> runs_{};
};

template <const mailbox_orderings& Orderings>
using one_letter = posting<1, post_script{2, 1, 2}, Orderings>;
template <const mailbox_orderings& Orderings>
using reuse = posting<1, post_script{2, 3, 2}, Orderings>;
template <const mailbox_orderings& Orderings>
using two_senders = posting<2, post_script{2, 1, 2}, Orderings>;
template <const mailbox_orderings& Orderings>
using two_senders_reuse = posting<2, post_script{2, 2, 2}, Orderings>;
template <const mailbox_orderings& Orderings>
using owner_and_addressee = claiming<1, Orderings>;
template <const mailbox_orderings& Orderings>
using old_letter = claiming<2, Orderings>;

template <template <const mailbox_orderings&> class Suite>
check shipped(const char* name, const char* sentence, std::vector<search> searches) {
  return {name, sentence, std::move(searches), [](const search& s, std::ostream& log) {
            return explore<Suite<mailbox_shipped>>(s, log);
          }};
}

std::vector<check> checks() {
  return {
      shipped<one_letter>("one_letter", "A letter is found as it is posted.", {full}),
      shipped<reuse>("reuse", "Three letters through a ring of two.", {bound(5), random(50'000)}),
      shipped<two_senders>("two_senders", "Two workers post at the same time.",
                           {bound(3), random(50'000)}),
      shipped<two_senders_reuse>("two_senders_reuse", "The same with less room than letters.",
                                 {bound(2), random(50'000)}),
      shipped<owner_and_addressee>("owner_and_addressee", "Two jobs of a slot, and two for them.",
                                   {bound(4), random(50'000)}),
      shipped<old_letter>("old_letter", "The same, and a third with an old letter.",
                          {bound(2), random(50'000)}),
  };
}

mailbox_orderings weakened;  // read at run time by the mutants

template <template <const mailbox_orderings&> class Suite>
trial script(const char* name, int threads, const search& deep) {
  return {name, threads, deep,
          [](const search& s, std::ostream& log) { return explore<Suite<weakened>>(s, log); }};
}

matrix orderings() {
  using o = mailbox_orderings;
  using enum operation;
  matrix all =
      matrix_of<o>("mailbox", "schedulers/work_stealing/mailbox.hpp", mailbox_shipped, weakened,
                   {
                       {"open", &o::open, store, "M1: claim"},
                       {"claim_look", &o::claim_look, load, "claim decides"},
                       {"claim", &o::claim, read_modify_write, "M1: open"},
                       {"claim_failure", &o::claim_failure, load, "nothing is read"},
                       {"post_tail_load", &o::post_tail_load, load, "post_tail validates it"},
                       {"post_look", &o::post_look, load, "M3: take_free"},
                       {"post_tail", &o::post_tail, read_modify_write, "hands out numbers"},
                       {"post_tail_failure", &o::post_tail_failure, load, "hands out numbers"},
                       {"post_fill", &o::post_fill, store, "M2: take_look"},
                       {"take_look", &o::take_look, load, "M2: post_fill"},
                       {"take_free", &o::take_free, store, "M3: post_look"},
                   });
  all.trials = {
      script<one_letter>("one_letter", 2, full),
      script<reuse>("reuse", 2, bound(5)),
      script<owner_and_addressee>("owner_and_addressee", 2, bound(4)),
      script<old_letter>("old_letter", 3, bound(3)),
  };
  return all;
}

}  // namespace
}  // namespace stealbench::verify

int main(int argc, char** argv) {
  return stealbench::verify::run_checks(argc, argv, stealbench::verify::checks(),
                                        {stealbench::verify::orderings()});
}
