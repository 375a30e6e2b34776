// SPDX-License-Identifier: Apache-2.0
#include "random/mrg.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

#include "random/mrg_matrix.hpp"

namespace isobath {
namespace {

constexpr std::size_t digit_bits = 4;
constexpr std::size_t digits_per_word = 64 / digit_bits;

/// Row i holds what k * 16^i draws do, k = 0 .. 15: any of the 2^192 skips is at most 48 products of matrix
/// and state. Sixteen columns (77 KB) rather than 256 (614 KB): the few products more cost less than the
/// cache lines.
class SkipTable {
 public:
  SkipTable() {
    MrgMatrix unit = MrgMatrix::one_draw();
    for (auto& row : rows_) {
      row[0] = MrgMatrix::identity();
      for (std::size_t k = 1; k < row.size(); ++k) row[k] = row[k - 1] * unit;
      unit = row.back() * unit;
    }
  }

  /// Skips `word` * 2^(64 * place) draws.
  void skip(MrgState& state, std::uint64_t word, std::size_t place) const {
    for (std::size_t digit = place * digits_per_word; word != 0; word >>= digit_bits, ++digit) {
      const std::size_t k = word & (rows_[0].size() - 1);
      if (k != 0) state = rows_[digit][k] * state;
    }
  }

  const MrgMatrix& two_to_64() const { return rows_[digits_per_word][1]; }

 private:
  std::array<std::array<MrgMatrix, std::size_t{1} << digit_bits>, 3 * digits_per_word> rows_;
};

const SkipTable& skip_table() {
  static const SkipTable table;
  return table;
}

}  // namespace

double MrgState::draw_double() {
  const double high = draw();
  const double low = draw();
  return high * 4.65661287524579692e-10 + low * 2.168404346990492787e-19;
}

MrgState MrgState::skipped(std::uint64_t high, std::uint64_t mid, std::uint64_t low) const {
  MrgState state = *this;
  const SkipTable& table = skip_table();
  table.skip(state, low, 0);
  table.skip(state, mid, 1);
  table.skip(state, high, 2);
  return state;
}

MrgMatrix MrgMatrix::two_to_64_draws() { return skip_table().two_to_64(); }

}  // namespace isobath
