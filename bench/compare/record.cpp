#include "bench/compare/record.hpp"

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "results/system/whole_file.hpp"
#include "workloads/parameters.hpp"

namespace stealbench::compare {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

[[noreturn]] void refuse(const fs::path& folder, std::string_view why) {
  throw workloads::bad_input(
      fmt::format("output folder '{}': {}; valid: a folder that can be made and written",
                  folder.string(), why));
}

/// Without the lock a second process could resume what the first is still at. The system drops it
/// however its holder ends. A file system that has no locks is taken as it is.
system::file_descriptor lock(const fs::path& folder) {
  system::file_descriptor opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open()) refuse(folder, std::generic_category().message(errno));
  if (flock(opened.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    throw workloads::bad_input(
        fmt::format("output folder '{}': another stealbench is writing there; valid: wait for it, "
                    "or another --output",
                    folder.string()));
  }
  return opened;
}

/// The comparison in a file if it has not come to its end; else null.
ordered_json unfinished_in(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  ordered_json document =
      ordered_json::parse(std::string(std::istreambuf_iterator<char>(stream), {}), nullptr, false);
  if (!document.is_object() || !document.contains("benchmarks")) return nullptr;
  const ordered_json context = document.value("context", ordered_json());
  const bool is_unfinished =
      context.is_object() && context.value("finished", ordered_json()) == false;
  return is_unfinished ? document : nullptr;
}

/// Figures of two builds or two machines do not belong in one table.
void expect_same_origin(const ordered_json& begun, const ordered_json& now) {
  for (const char* const key :
       {"commit", "compiler", "build_type", "flags", "processor", "kernel"}) {
    if (!begun.contains(key) || !now.contains(key) || begun[key] == now[key]) continue;
    throw workloads::bad_input(
        fmt::format("--resume: {} was {} when the comparison began, and is {} now; valid: the same "
                    "build on the same machine, or --overwrite to start anew",
                    key, begun[key].dump(), now[key].dump()));
  }
}

}  // namespace

record::record(const fs::path& folder, earlier what, std::string kind) : kind_(std::move(kind)) {
  if (folder.empty()) refuse(folder, "no name");
  std::error_code error;
  folder_ = fs::absolute(folder, error);
  const auto nothing_to_resume = [&] {
    return workloads::bad_input(fmt::format(
        "--resume: nothing to resume, there is no unfinished comparison in '{}'; valid: "
        "the --output of one that was stopped, or no --resume",
        folder.string()));
  };
  if (what == earlier::resume && !fs::exists(json_file(), error)) throw nothing_to_resume();
  fs::create_directories(folder_, error);
  if (error) refuse(folder, error.message());
  lock_ = lock(folder_);
  if (fs::is_directory(json_file(), error)) {
    refuse(folder, kind_ + ".json is a folder there");
  }
  if (const std::error_code reason = system::try_to_write(json_file()); reason) {
    refuse(folder, reason.message());
  }

  if (what == earlier::replace) return;
  begun_ = unfinished_in(json_file());
  if (what == earlier::resume && begun_.is_null()) throw nothing_to_resume();
  if (what == earlier::keep && !begun_.is_null()) {
    throw workloads::bad_input(
        fmt::format("output folder '{}': an unfinished comparison is there; valid: --resume to go "
                    "on with it, --overwrite to replace it, or another --output",
                    folder.string()));
  }
}

void record::take_over() {
  for (const auto& [key, value] : begun_.at("context").items()) {
    if (!of_comparison_.contains(key)) of_benchmark_[key] = value;
  }
  entries_ = begun_.at("benchmarks");
  is_saved_ = true;
  remove_derived();
}

// They are of other measurements than those that the raw file is about to have.
void record::remove_derived() const {
  std::error_code ignored;
  for (const char* const name : {"comparison.csv", "report.html"}) {
    if (kind_ == "comparison") fs::remove(folder_ / name, ignored);
  }
  fs::remove(markdown_file(), ignored);
}

void record::set_context(const ordered_json& of_benchmark) {
  if (!of_benchmark.is_object()) return;
  if (of_benchmark_.empty()) of_benchmark_ = of_benchmark;
  if (!begun_.is_null()) expect_same_origin(of_benchmark_, of_benchmark);
}

void record::describe(const std::string& key, ordered_json value) {
  of_comparison_[key] = std::move(value);
}

void record::add(ordered_json entry) { entries_.push_back(std::move(entry)); }

ordered_json record::document() const {
  ordered_json context = of_benchmark_;
  context["format"] = format_version;
  context["kind"] = kind_;
  context.update(of_comparison_);
  return {{"context", std::move(context)}, {"benchmarks", entries_}};
}

void record::save() {
  // What a cell's process wrote need not be UTF-8, and must not end the comparison.
  const std::string text = document().dump(1, ' ', false, ordered_json::error_handler_t::replace);
  system::write_atomically(json_file(), text + '\n');
  if (is_saved_) return;
  is_saved_ = true;
  remove_derived();
}

void record::save_tables(std::string_view markdown) const {
  system::write_atomically(markdown_file(), markdown);
}

}  // namespace stealbench::compare
