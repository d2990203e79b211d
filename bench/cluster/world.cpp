#include "bench/cluster/world.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <numeric>

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

namespace stealbench::cluster {

// An error of MPI ends all ranks, with its message: that is MPI's default, which stays.

world::world() {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  takes_threads_ = provided >= MPI_THREAD_SERIALIZED;
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_dup(MPI_COMM_WORLD, &messages_);
  rank_ = static_cast<unsigned>(rank);
  ranks_ = static_cast<unsigned>(ranks);
}

world::~world() {
  for (sending& each : sent_) MPI_Wait(&each.request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&messages_);
  MPI_Finalize();
}

#ifdef OMPI_MAJOR_VERSION
std::string world::library() {
  return fmt::format("Open MPI {}.{}.{}", OMPI_MAJOR_VERSION, OMPI_MINOR_VERSION,
                     OMPI_RELEASE_VERSION);
}

bool world::was_started() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here sets the environment.
  return std::getenv("PMIX_RANK") != nullptr || std::getenv("OMPI_COMM_WORLD_RANK") != nullptr;
}

void world::look_later(std::chrono::nanoseconds /*waited*/) { sched_yield(); }

void world::sleep() { usleep(microseconds_asleep); }

void world::has_expanded(std::uint64_t /*tasks*/) {}
#else
std::string world::library() { return "SMPI of SimGrid"; }

bool world::was_started() { return true; }

// In simulated time. Looks would take most of the simulator's own, so a rank that waits looks only
// after each sixteenth of its wait so far, and at least 1 us.
void world::look_later(std::chrono::nanoseconds waited) {
  const auto pause = std::chrono::duration_cast<std::chrono::microseconds>(waited / 16).count();
  smpi_usleep(static_cast<useconds_t>(std::max(pause, std::int64_t{1})));
}

void world::sleep() { smpi_usleep(microseconds_asleep); }

void world::has_expanded(std::uint64_t tasks) {
  static const double task_ns = [] {
    const char* const typed = std::getenv("STEALBENCH_TASK_NS");
    return typed == nullptr ? 0 : std::strtod(typed, nullptr);
  }();
  smpi_execute_flops(static_cast<double>(tasks) * task_ns);  // A node has 1 Gflop/s.
}
#endif

std::string world::host() {
  std::string name(MPI_MAX_PROCESSOR_NAME, '\0');
  int size = 0;
  MPI_Get_processor_name(name.data(), &size);
  name.resize(static_cast<std::size_t>(size));
  return name;
}

void world::send(unsigned to, std::vector<std::byte> bytes) {
  forget_sent();
  sending& one = sent_.emplace_back(sending{std::move(bytes)});
  MPI_Isend(one.bytes.data(), static_cast<int>(one.bytes.size()), MPI_BYTE, static_cast<int>(to), 0,
            messages_, &one.request);
}

std::optional<std::pair<unsigned, std::vector<std::byte>>> world::receive() {
  forget_sent();
  int has_come = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, messages_, &has_come, &status);
  if (has_come == 0) return std::nullopt;
  int size = 0;
  MPI_Get_count(&status, MPI_BYTE, &size);
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  heard_at_ = now();
  // That very message, since no other thread receives one meanwhile.
  MPI_Recv(bytes.data(), size, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, messages_,
           MPI_STATUS_IGNORE);
  return std::pair(static_cast<unsigned>(status.MPI_SOURCE), std::move(bytes));
}

void world::has_turned(bool is_idle) {
  if (!is_idle) {
    idle_since_.reset();
    return;
  }
  const std::chrono::nanoseconds time = now();
  if (!idle_since_) idle_since_ = heard_at_ = time;
  if (time - *idle_since_ < std::chrono::milliseconds(1)) {
    look_later(time - heard_at_);
  } else {
    sleep();
  }
}

std::string world::broadcast(std::string text) const {
  std::size_t size = text.size();
  MPI_Bcast(&size, sizeof size, MPI_BYTE, 0, MPI_COMM_WORLD);
  text.resize(size);
  MPI_Bcast(text.data(), static_cast<int>(size), MPI_BYTE, 0, MPI_COMM_WORLD);
  return text;
}

std::vector<std::string> world::gather(const std::string& text) const {
  const int own_size = static_cast<int>(text.size());
  std::vector<int> sizes(ranks_);
  MPI_Gather(&own_size, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::vector<int> begins(ranks_);
  std::exclusive_scan(sizes.begin(), sizes.end(), begins.begin(), 0);
  std::string all;
  if (rank_ == 0) {
    all.resize(static_cast<std::size_t>(begins.back()) + static_cast<std::size_t>(sizes.back()));
  }
  MPI_Gatherv(text.data(), own_size, MPI_BYTE, all.data(), sizes.data(), begins.data(), MPI_BYTE, 0,
              MPI_COMM_WORLD);
  std::vector<std::string> texts;
  for (unsigned i = 0; rank_ == 0 && i < ranks_; ++i) {
    texts.push_back(
        all.substr(static_cast<std::size_t>(begins[i]), static_cast<std::size_t>(sizes[i])));
  }
  return texts;
}

void world::give_up(const std::string& why) const {
  std::cerr << fmt::format("stealbench-mpi: rank {}: {}\n", rank_, why) << std::flush;
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

void world::forget_sent() {
  for (auto each = sent_.begin(); each != sent_.end();) {
    int is_done = 0;
    MPI_Test(&each->request, &is_done, MPI_STATUS_IGNORE);
    each = is_done != 0 ? sent_.erase(each) : std::next(each);
  }
}

}  // namespace stealbench::cluster
