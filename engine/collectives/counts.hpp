// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace isobath {

/// Elements from senders (rows) to receivers (columns). Where all senders send the same to each, or one
/// sender alone does, one row stands for them; likewise one column.
struct Counts {
  int rows = 1;
  int columns = 1;
  std::vector<std::int64_t> elements = {};  // rows x columns, row by row

  std::int64_t at(int row, int column) const {
    return elements[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                    static_cast<std::size_t>(column)];
  }
  std::span<const std::int64_t> row(int row) const {
    return std::span(elements).subspan(static_cast<std::size_t>(row) * static_cast<std::size_t>(columns),
                                       static_cast<std::size_t>(columns));
  }
};

/// How elements are spread. All spread as many as the uniform one has, so that they compare; fractions go to
/// the entries with the largest remainders, the first of equals.
struct Distribution {
  enum class Kind {
    uniform,   // all entries alike
    zipf,      // entry k of a row in proportion to 1 / (k + 1)^exponent: receivers of low rank get most
    sparse,    // a row has `number` entries alike, spread evenly behind its own; the others are empty
    block,     // a row's entries lie within its own group of `number` ranks, alike
    recorded,  // from a file, by name
  };
  Kind kind = Kind::uniform;
  double exponent = 0;
  int number = 0;
  std::string name = {};

  /// Reads uniform, zipf:S, sparse:K, block:B, recorded:NAME. @throws UsageError
  static Distribution parse(const std::string& text);
  std::string text() const;
};

/// Entries of one row of `columns`, `total` elements in all, as row number `row` has them. Not of recorded.
/// Zipf does not depend on the row.
std::vector<std::int64_t> spread(const Distribution& distribution, int row, int columns, std::int64_t total);

/// What counts are like, in elements.
struct CountFacts {
  std::int64_t total = 0;
  std::int64_t largest_row = 0;
  std::int64_t largest_column = 0;
  std::int64_t largest_entry = 0;
  int fewest_peers = 0;  // entries of a row that are not 0
  int most_peers = 0;
  double gini = 0;
};
CountFacts facts_of(const Counts& counts);

/// Gini's coefficient: the mean difference of two entries by twice their mean. 0 of no entries and of zeros.
double gini(std::vector<std::int64_t> entries);

}  // namespace isobath
