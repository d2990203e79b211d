#include "workloads/recursive/floorplan/floorplan.hpp"

#include <algorithm>
#include <utility>

#include "workloads/kit/random.hpp"

namespace stealbench::floorplan {
namespace {

std::uint64_t columns_of(const rectangle& placed) {
  return ((std::uint64_t{1} << placed.width) - 1) << placed.left;
}

std::uint8_t narrow(std::uint64_t small) { return static_cast<std::uint8_t>(small); }

/// The places of a cell, turned one way, along the edge that it shares with its neighbour.
template <class Try>
void try_along(const plan& partial, const cell& next, const Try& each) {
  rectangle to{.top = 0, .left = 0, .height = next.height, .width = next.width};
  if (partial.count == 0) {
    each(to);
    return;
  }
  const rectangle& beside = partial.placed[next.neighbour];
  if (next.is_below) {
    to.top = narrow(std::uint64_t{beside.top} + beside.height);
    const int first = std::max(0, beside.left - next.width + 1);
    for (int left = first; left < beside.left + beside.width; ++left) {
      to.left = static_cast<std::uint8_t>(left);
      each(to);
    }
  } else {
    to.left = narrow(std::uint64_t{beside.left} + beside.width);
    const int first = std::max(0, beside.top - next.height + 1);
    for (int top = first; top < beside.top + beside.height; ++top) {
      to.top = static_cast<std::uint8_t>(top);
      each(to);
    }
  }
}

/// Those of the next cell, turned either way.
template <class Try>
void try_places(const plan& partial, std::span<const cell> cells, const Try& each) {
  cell next = cells[partial.count];
  try_along(partial, next, each);
  if (next.height == next.width) return;
  std::swap(next.height, next.width);
  try_along(partial, next, each);
}

}  // namespace

std::vector<cell> random_cells(std::size_t count, std::uint32_t longest_side, std::uint64_t seed) {
  kit::random_stream random(seed);
  std::vector<cell> cells;
  std::array<std::array<bool, 2>, most_cells> is_taken{};  // The lower and right sides of cells.
  for (std::size_t index = 0; index < count; ++index) {
    cell next{};
    next.height = narrow(1 + random.below(longest_side));
    next.width = narrow(1 + random.below(longest_side));
    while (index > 0) {
      next.neighbour = narrow(random.below(index));
      next.is_below = random.below(2) == 1;
      bool& side = is_taken.at(next.neighbour).at(next.is_below ? 0 : 1);
      if (!std::exchange(side, true)) break;
    }
    cells.push_back(next);
  }
  return cells;
}

std::uint64_t plan::area_with(const rectangle& next) const {
  const std::uint64_t new_height = std::max<std::uint64_t>(height, next.top + next.height);
  const std::uint64_t new_width = std::max<std::uint64_t>(width, next.left + next.width);
  return new_height * new_width;
}

bool plan::is_free(const rectangle& next) const {
  if (std::size_t{next.top} + next.height > board_side) return false;
  if (std::size_t{next.left} + next.width > board_side) return false;
  std::uint64_t taken = 0;
  for (std::size_t row = 0; row < next.height; ++row) taken |= occupied[next.top + row];
  return (taken & columns_of(next)) == 0;
}

void plan::place(const rectangle& next) {
  for (std::size_t row = 0; row < next.height; ++row) occupied[next.top + row] |= columns_of(next);
  placed[count++] = next;
  height = std::max(height, narrow(std::uint64_t{next.top} + next.height));
  width = std::max(width, narrow(std::uint64_t{next.left} + next.width));
}

moves::moves(const plan& partial, std::span<const cell> cells, std::uint64_t best) {
  try_places(partial, cells, [&](const rectangle& to) {
    if (partial.area_with(to) < best && partial.is_free(to)) all[count++] = to;
  });
}

std::uint64_t units_of_search(const plan& partial, std::span<const cell> cells,
                              std::uint64_t best) {
  std::uint64_t units = 16;
  try_places(partial, cells,
             [&](const rectangle& to) { units += partial.area_with(to) < best ? 2 + 3 : 2; });
  return units;
}

std::uint64_t greedy_area(std::span<const cell> cells) {
  plan all;
  while (all.count < cells.size()) {
    const moves possible(all, cells, no_area);
    if (possible.count == 0) return no_area;
    all.place(*std::min_element(possible.begin(), possible.end(),
                                [&all](const rectangle& a, const rectangle& b) {
                                  return all.area_with(a) < all.area_with(b);
                                }));
  }
  return all.area();
}

// NOLINTNEXTLINE(misc-no-recursion): the definition
std::uint64_t plain_search(std::span<const cell> cells, const plan& partial, incumbent& best) {
  if (partial.count == cells.size()) {
    best.offer(partial.area());
    return partial.area();
  }
  std::uint64_t least = no_area;
  for (const rectangle& move : moves(partial, cells, best.value())) {
    plan next = partial;
    next.place(move);
    least = std::min(least, plain_search(cells, next, best));
  }
  return least;
}

workload::input workload::prepare(const kit::parameters& chosen) {
  std::vector<cell> cells = random_cells(chosen.integer("n"), chosen.integer<std::uint32_t>("side"),
                                         chosen.integer("seed"));
  const std::uint64_t greedy = greedy_area(cells);
  return {.cells = std::move(cells),
          .greedy = greedy,
          .how = chosen.choice_as<kit::pruning>("prune"),
          .spawning_cells = chosen.integer("cutoff"),
          .expected = std::nullopt};
}

workload::output workload::sequential(const input& in) {
  incumbent best(in.greedy, in.how);
  return {.area = std::min(in.greedy, plain_search(in.cells, plan{}, best)), .spawns = uncounted};
}

std::optional<bool> workload::verify(const input& in, const output& out) {
  if (!in.expected) in.expected = run(serial::worker{}, in);
  if (out.area != in.expected->area) return false;
  return in.how == kit::pruning::shared || out.spawns == uncounted ||
         out.spawns == in.expected->spawns;
}

}  // namespace stealbench::floorplan
