// SPDX-License-Identifier: Apache-2.0
#include "overlap/fixed_work.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/arena.hpp"
#include "base/bitmap.hpp"
#include "base/error.hpp"
#include "base/expects.hpp"

namespace isobath {
namespace {

constexpr std::pair<WorkKind, std::string_view> work_names[] = {
    {WorkKind::product, "product"}, {WorkKind::triad, "triad"}, {WorkKind::scan, "scan"}};

class Product final : public FixedWork {
 public:
  Product(int order, int rank, int ranks)
      : order_(static_cast<std::size_t>(order)),
        rows_(std::max<std::size_t>(1, order_ / static_cast<std::size_t>(ranks))),
        a_(rows_ * order_),
        b_(order_ * order_),
        c_(rows_ * order_) {
    for (std::size_t i = 0; i < a_.size(); ++i)
      a_[i] = static_cast<double>((i + static_cast<std::size_t>(rank)) % 7);
    for (std::size_t i = 0; i < b_.size(); ++i) b_[i] = static_cast<double>(i % 5) - 2;
  }

  void run(std::int64_t first, std::int64_t end) override {
    const auto rows = static_cast<std::int64_t>(rows_);
    in_rounds(first, end, rows, [&](std::int64_t begin, std::int64_t stop) {
#pragma omp parallel for schedule(static)
      for (std::int64_t unit = begin; unit < stop; ++unit) row(static_cast<std::size_t>(unit % rows));
    });
  }

  double checksum() const override {
    double sum = 0;
    for (const double value : c_) sum += value;
    return sum;
  }

 private:
  void row(std::size_t i) {
    double* const c = c_.data() + i * order_;
    std::fill(c, c + order_, 0.0);
    for (std::size_t k = 0; k < order_; ++k) {
      const double a = a_[i * order_ + k];
      const double* const b = b_.data() + k * order_;
      for (std::size_t j = 0; j < order_; ++j) c[j] += a * b[j];
    }
  }

  std::size_t order_;
  std::size_t rows_;
  std::vector<double> a_;
  std::vector<double> b_;
  std::vector<double> c_;
};

class Triad final : public FixedWork {
 public:
  Triad() {
    for (std::size_t i = 0; i < elements; ++i) {
      a_[i] = 0;
      b_[i] = static_cast<double>(i % 9);
      c_[i] = 1;
    }
  }

  void run(std::int64_t first, std::int64_t end) override {
    in_rounds(first, end, elements / unit_elements, [&](std::int64_t begin, std::int64_t stop) {
#pragma omp parallel for schedule(static)
      for (std::int64_t unit = begin; unit < stop; ++unit) {
        const std::size_t from = static_cast<std::size_t>(unit) * unit_elements % elements;
        for (std::size_t i = from; i < from + unit_elements; ++i) a_[i] = b_[i] + 3 * c_[i];
      }
    });
  }

  double checksum() const override {
    double sum = 0;
    for (const double value : a_.span()) sum += value;
    return sum;
  }

 private:
  static constexpr std::size_t elements = std::size_t{1} << 21;
  static constexpr std::size_t unit_elements = 512;
  LargeArray<double> a_{elements};
  LargeArray<double> b_{elements};
  LargeArray<double> c_{elements};
};

class Scan final : public FixedWork {
 public:
  Scan() {
    // Every third bit of the frontier, every other of what is looked up: fixed, and of no pattern that a
    // prefetcher follows, since looking up goes by multiples of the golden ratio.
    for (std::size_t bit = 0; bit < bits; bit += 3) set_bit(frontier_.span(), bit);
    for (std::size_t bit = 0; bit < bits; bit += 2) set_bit(visited_.span(), bit);
  }

  void run(std::int64_t first, std::int64_t end) override {
    std::int64_t found = 0;
#pragma omp parallel for schedule(static) reduction(+ : found)
    for (std::int64_t unit = first; unit < end; ++unit) found += look_up(static_cast<std::size_t>(unit));
    found_ += found;
  }

  double checksum() const override { return static_cast<double>(found_); }

 private:
  std::int64_t look_up(std::size_t unit) const {
    const std::size_t begin = unit * unit_words % words;
    std::int64_t found = 0;
    for_each_bit(frontier_.span().subspan(begin, unit_words), [&](std::size_t bit) {
      const std::uint64_t hashed = (begin * word_bits + bit) * 0x9E3779B97F4A7C15U;
      if (test_bit(visited_.span(), hashed >> (64 - log2_bits))) ++found;
    });
    return found;
  }

  static constexpr std::size_t log2_bits = 23;
  static constexpr std::size_t bits = std::size_t{1} << log2_bits;
  static constexpr std::size_t words = bits / word_bits;
  static constexpr std::size_t unit_words = 64;
  LargeArray<Word> frontier_{words};
  LargeArray<Word> visited_{words};
  std::int64_t found_ = 0;
};

}  // namespace

FixedWork::~FixedWork() = default;

std::string_view name_of(WorkKind kind) {
  for (const auto& [value, name] : work_names) {
    if (value == kind) return name;
  }
  return {};
}

WorkKind parse_work_kind(std::string_view text) {
  for (const auto& [value, name] : work_names) {
    if (name == text) return value;
  }
  throw UsageError("work '" + std::string(text) + "' is unknown; choose product, triad or scan");
}

std::unique_ptr<FixedWork> make_fixed_work(WorkKind kind, int order, int rank, int ranks) {
  ISOBATH_EXPECTS(order > 0 && rank >= 0 && rank < ranks);
  if (kind == WorkKind::product) return std::make_unique<Product>(order, rank, ranks);
  if (kind == WorkKind::triad) return std::make_unique<Triad>();
  return std::make_unique<Scan>();
}

}  // namespace isobath
