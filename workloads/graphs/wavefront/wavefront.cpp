#include "workloads/graphs/wavefront/wavefront.hpp"

#include <array>
#include <span>

#include "workloads/kit/random.hpp"

namespace stealbench::wavefront {
namespace {

/// 20 KiB of stack for a block in work.
constexpr std::size_t most_block = 1024;

/// A hash of the edges, for each cell by its place: a block that was filled too early, with stale
/// edges, leaves others behind even where the greatest lengths happen to be the same.
std::uint64_t digest_of(std::span<const std::uint32_t> lower,
                        std::span<const std::uint32_t> right) {
  std::uint64_t digest = 1;
  for (std::size_t i = 0; i < lower.size(); ++i) {
    digest += kit::mixed((std::uint64_t{lower[i]} << 32) + right[i]) * (2 * i + 1);
  }
  return digest;
}

using line = std::array<std::uint32_t, most_block + 1>;

/// Cells of a diagonal, of which none needs another: now[i + 1] from old[i + 1] to its left, old[i]
/// above it and older[i] between them. A loop along a row would have to wait for each cell.
void advance(std::span<std::uint32_t> now, std::span<const std::uint32_t> old,
             std::span<const std::uint32_t> older, std::span<const std::uint32_t> down,
             std::span<const std::uint32_t> across) {
  for (std::size_t i = 0; i < down.size(); ++i) {
    const std::uint32_t matched = older[i] + (down[i] == across[i] ? 1 : 0);
    now[i + 1] = std::max(std::max(old[i + 1], old[i]), matched);
  }
}

}  // namespace

void fill_block(table& in, std::size_t row, std::size_t column) {
  const std::size_t size = in.block;
  const std::span<std::uint32_t> above = std::span(in.above).subspan(column * size, size);
  const std::span<std::uint32_t> left = std::span(in.left).subspan(row * size, size);
  // Both edges have moved past the cell above and to the left of the block: hence its own place.
  std::uint32_t& corner = in.corner[column + in.blocks - 1 - row];

  line down;    // These five are written before they are read.
  line across;  // Backwards, as a rising diagonal meets it.
  for (std::size_t i = 0; i < size; ++i) {
    down[i] = in.down[row * size + i];
    across[size - 1 - i] = in.across[column * size + i];
  }
  // The cells of three diagonals, by row and one place further: before them the row above.
  std::array<line, 3> diagonals;
  diagonals[1][0] = corner;
  diagonals[2][0] = above[0];
  diagonals[2][1] = left[0];
  for (std::size_t index = 0; index + 1 < 2 * size; ++index) {
    line& now = diagonals[index % 3];
    const line& older = diagonals[(index + 1) % 3];
    const line& old = diagonals[(index + 2) % 3];
    const std::size_t first = index < size ? 0 : index - size + 1;
    const std::size_t count = std::min(index + 1, size) - first;
    advance(std::span(now).subspan(first, count + 1), std::span(old).subspan(first, count + 1),
            std::span(older).subspan(first, count), std::span(down).subspan(first, count),
            std::span(across).subspan(size - 1 + first - index, count));
    if (index + 1 < size) {
      now[0] = above[index + 1];
      now[index + 2] = left[index + 1];
    } else {  // Ends at the lower and at the right edge; the old ones have been read by now.
      above[index + 1 - size] = now[size];
      left[first] = now[first + 1];
    }
  }
  corner = above.back();
  // Added to nought, so that a block that was filled twice shows.
  in.digest[row * in.blocks + column] += digest_of(above, left);
}

workload::input workload::prepare(const kit::parameters& chosen) {
  const std::uint64_t blocks = chosen.integer("blocks");
  const std::uint64_t block = chosen.integer("block");
  kit::require_power_of_two(chosen, "blocks");
  // Two letters and two cells for each place of a string, two digests for each block, the corners:
  // once for the run and once for the serial program that it is compared with.
  kit::require_memory("blocks", blocks, [=](std::uint64_t n) {
    return 20 * n * block + 2 * sizeof(std::uint64_t) * n * n + 16 * n;
  });
  input in{.order = chosen.choice_as<order_kind>("order"),
           .cells = {.blocks = blocks,
                     .block = block,
                     .down = std::vector<std::uint8_t>(blocks * block),
                     .across = std::vector<std::uint8_t>(blocks * block),
                     .above = std::vector<std::uint32_t>(blocks * block),
                     .left = std::vector<std::uint32_t>(blocks * block),
                     .corner = std::vector<std::uint32_t>(2 * blocks - 1),
                     .digest = std::vector<std::uint64_t>(blocks * blocks)},
           .expected = {}};
  kit::random_stream random(chosen.integer("seed"));
  for (std::uint8_t& letter : in.cells.down) letter = static_cast<std::uint8_t>(random.below(4));
  for (std::uint8_t& letter : in.cells.across) letter = static_cast<std::uint8_t>(random.below(4));
  return in;
}

void workload::reset(input& in) {
  std::fill(in.cells.above.begin(), in.cells.above.end(), 0);
  std::fill(in.cells.left.begin(), in.cells.left.end(), 0);
  std::fill(in.cells.corner.begin(), in.cells.corner.end(), 0);
  std::fill(in.cells.digest.begin(), in.cells.digest.end(), 0);
}

workload::output workload::sequential(input& in) {
  for (std::size_t row = 0; row < in.cells.blocks; ++row) {
    for (std::size_t column = 0; column < in.cells.blocks; ++column) {
      fill_block(in.cells, row, column);
    }
  }
  return in.cells.above.back();
}

std::optional<bool> workload::verify(const input& in, const output& out) {
  if (in.expected.empty()) in.expected = workloads::after_sequential<workload>(in).cells.digest;
  return in.cells.digest == in.expected && out == in.cells.above.back();
}

}  // namespace stealbench::wavefront
