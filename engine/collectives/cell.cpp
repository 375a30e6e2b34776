// SPDX-License-Identifier: Apache-2.0
#include "collectives/cell.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "collectives/cases.hpp"
#include "timing/arrival.hpp"

namespace isobath {
namespace {

void fill_in(CollectiveCell& words, const Case& one, int ranks) {
  if (words.shape.empty()) words.shape = std::to_string(ranks);
  if (words.datatype.empty()) words.datatype = one.is_reduction ? "double" : "byte";
  if (words.operation.empty() && one.is_reduction) words.operation = "sum";
}

/// Words that exclude each other. @throws UsageError
void refuse_contradictions(const Cell& cell, int ranks) {
  const std::string& name = cell.words.collective;
  if (cell.shape.size() != ranks) {
    throw UsageError(
        fmt::format("the arrangement {} is of {} ranks, but there are {}; start as many or write "
                    "another",
                    cell.shape.text(), cell.shape.size(), ranks));
  }
  if (cell.distribution.kind != Distribution::Kind::uniform && !cell.one.is_irregular) {
    throw UsageError(fmt::format("{} has the same count everywhere, not {}; take {}v or uniform counts", name,
                                 cell.words.counts, name));
  }
  if (!cell.one.is_reduction && !cell.words.operation.empty()) {
    throw UsageError(fmt::format("{} combines nothing; leave the operation out", name));
  }
  if (cell.one.is_reduction && !is_defined(cell.operation, cell.type)) {
    throw UsageError(fmt::format("MPI defines no {} of {}; take another operation or datatype",
                                 name_of(cell.operation), name_of(cell.type)));
  }
  if (cell.one.own && cell.form != Form::blocking) {
    throw UsageError(
        fmt::format("{} has no {} form; leave the form out", cell.one.own->name, cell.words.form));
  }
  const bool has_delays = cell.words.arrival != "zero";
  if (has_delays && cell.alignment != Alignment::round_time) {
    throw UsageError(fmt::format("the arrival {} needs the alignment roundtime", cell.words.arrival));
  }
}

/// Whether all ranks' blocks for all ranks, twice over, are a number that no sum here exceeds.
bool can_be_counted(std::int64_t size_bytes, int ranks) {
  std::int64_t product = size_bytes;
  for (const std::int64_t factor : {std::int64_t{ranks}, std::int64_t{ranks}, std::int64_t{4}}) {
    if (__builtin_mul_overflow(product, factor, &product)) return false;
  }
  return true;
}

std::int64_t most_in(const ByteMatrix& matrix, int index, bool of_row) {
  std::int64_t most = 0;
  const auto i = static_cast<std::size_t>(index);
  for (std::size_t j = 0; j < matrix.size(); ++j) most = std::max(most, of_row ? matrix[i][j] : matrix[j][i]);
  return most;
}

std::variant<Counts, std::string> recorded_counts(const Cell& cell, int ranks, const ByteMatrix& recorded) {
  const std::int64_t element = bytes_of(cell.type);
  Counts counts{.rows = cell.one.counts == Case::CountForm::to_each ? 1 : ranks,
                .columns = cell.one.counts == Case::CountForm::from_each ? 1 : ranks};
  for (int row = 0; row < counts.rows; ++row) {
    for (int column = 0; column < counts.columns; ++column) {
      std::int64_t bytes = 0;
      if (cell.one.counts == Case::CountForm::pairs) {
        bytes = recorded[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
      } else {
        // What one rank gives to all, or gets of each, is recorded once for each of the others.
        const bool of_row = cell.one.counts == Case::CountForm::from_each;
        bytes = most_in(recorded, of_row ? row : column, of_row);
      }
      if (bytes % element != 0) {
        return fmt::format("needs counts of whole elements of {} bytes, has {} bytes from rank {} to rank {}",
                           element, bytes, row, column);
      }
      counts.elements.push_back(bytes / element);
    }
  }
  return counts;
}

/// What goes from every rank to each of its neighbours: a list for each rank, with zeros for neighbours that
/// get nothing.
std::vector<std::vector<std::pair<int, std::int64_t>>> sent_to_neighbours(const Setting& setting) {
  std::vector<std::vector<std::pair<int, std::int64_t>>> sent;
  for (int rank = 0; rank < setting.ranks; ++rank) {
    auto& own = sent.emplace_back();
    for (const int neighbour : neighbours_of(setting.extents, rank)) {
      if (neighbour < 0) continue;
      const Counts& counts = setting.counts;
      const bool is_regular = counts.elements.empty();
      own.emplace_back(neighbour,
                       is_regular ? setting.block : counts.at(rank, counts.columns == 1 ? 0 : neighbour));
    }
  }
  return sent;
}

/// Only what neighbours have for each other travels, whatever the matrix says of others.
CountFacts facts_of_neighbours(const Setting& setting) {
  CountFacts facts;
  std::vector<std::int64_t> received(static_cast<std::size_t>(setting.ranks), 0);
  std::vector<std::int64_t> entries;
  facts.fewest_peers = setting.ranks;
  for (const auto& row : sent_to_neighbours(setting)) {
    std::int64_t sum = 0;
    int peers = 0;
    for (const auto& [neighbour, count] : row) {
      sum += count;
      peers += count != 0 ? 1 : 0;
      received[static_cast<std::size_t>(neighbour)] += count;
      facts.largest_entry = std::max(facts.largest_entry, count);
      entries.push_back(count);
    }
    facts.total += sum;
    facts.largest_row = std::max(facts.largest_row, sum);
    facts.fewest_peers = std::min(facts.fewest_peers, peers);
    facts.most_peers = std::max(facts.most_peers, peers);
  }
  facts.largest_column = *std::ranges::max_element(received);
  facts.gini = gini(std::move(entries));
  return facts;
}

}  // namespace

Cell understand(const CollectiveCell& words, int ranks) {
  Cell cell{.words = words, .one = case_of(parse_collective(words.collective), words.own_algorithm)};
  fill_in(cell.words, cell.one, ranks);
  cell.form = parse_form(cell.words.form);
  cell.shape = ProcessShape::parse(cell.words.shape);
  cell.along = Along::parse(cell.words.along, cell.shape);
  cell.distribution = Distribution::parse(cell.words.counts);
  cell.type = parse_element_type(cell.words.datatype);
  if (!cell.words.operation.empty()) cell.operation = parse_operation(cell.words.operation);
  cell.buffers = parse_buffer_mode(cell.words.buffers);
  cell.cadence = parse_cadence(cell.words.cadence);
  cell.alignment = parse_alignment(cell.words.alignment);
  refuse_contradictions(cell, ranks);
  arrival_delays(cell.words.arrival, cell.words.together ? ranks : communicator_size(cell));
  return cell;
}

int communicator_size(const Cell& cell) { return cell.shape.size() / communicators(cell.shape, cell.along); }

std::optional<std::string> obstacle(const Cell& cell, int ranks) {
  const std::int64_t element = bytes_of(cell.type);
  if (cell.one.has_size && !can_be_counted(cell.words.size_bytes, ranks)) {
    return fmt::format("needs {} bytes from each of {} ranks to each, has 63 bits to count them",
                       cell.words.size_bytes, ranks);
  }
  if (cell.one.has_size && cell.words.size_bytes % element != 0) {
    return fmt::format("needs whole elements of {} bytes, has {} bytes", element, cell.words.size_bytes);
  }
  if (cell.one.has_root && cell.words.root_rank >= ranks) {
    return fmt::format("needs rank {} as its root rank, has {} ranks", cell.words.root_rank, ranks);
  }
  if (cell.distribution.kind == Distribution::Kind::sparse && cell.distribution.number > ranks) {
    return fmt::format("needs {} ranks to send to, has {}", cell.distribution.number, ranks);
  }
  if (cell.buffers == BufferMode::dirty && cell.cadence == Cadence::streaming) {
    return "needs time between repetitions to write dirty buffers, has none where they stream";
  }
  return std::nullopt;
}

std::variant<Counts, std::string> counts_of(const Cell& cell, int ranks, const ByteMatrix& recorded) {
  if (!cell.one.is_irregular) return Counts{.rows = 0, .columns = 0};
  if (cell.distribution.kind == Distribution::Kind::recorded) {
    if (std::ssize(recorded) != ranks) {
      return fmt::format("needs a matrix '{}' of {} ranks, has none", cell.distribution.name, ranks);
    }
    return recorded_counts(cell, ranks, recorded);
  }
  const std::int64_t total = cell.words.size_bytes / bytes_of(cell.type) * ranks;
  if (cell.one.counts != Case::CountForm::pairs) {
    const bool from_each = cell.one.counts == Case::CountForm::from_each;
    return Counts{.rows = from_each ? ranks : 1,
                  .columns = from_each ? 1 : ranks,
                  .elements = spread(cell.distribution, 0, ranks, total)};
  }
  Counts counts{.rows = ranks, .columns = ranks};
  for (int row = 0; row < ranks; ++row) {
    const std::vector<std::int64_t> entries = spread(cell.distribution, row, ranks, total);
    counts.elements.insert(counts.elements.end(), entries.begin(), entries.end());
  }
  return counts;
}

ByteMatrix part_of(const ByteMatrix& matrix, std::span<const int> world_ranks, int ranks_of_world) {
  if (std::ssize(matrix) == std::ssize(world_ranks)) return matrix;
  if (std::ssize(matrix) != ranks_of_world) return {};
  ByteMatrix part;
  for (const int row : world_ranks) {
    std::vector<std::int64_t>& entries = part.emplace_back();
    for (const int column : world_ranks) {
      entries.push_back(matrix[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)]);
    }
  }
  return part;
}

CountFacts facts_of(const Cell& cell, const Setting& setting) {
  if (cell.one.has_neighbours) return facts_of_neighbours(setting);
  if (cell.one.is_irregular) return facts_of(setting.counts);
  if (!cell.one.has_size) return {};
  const bool many_rows =
      cell.one.counts == Case::CountForm::from_each || cell.one.counts == Case::CountForm::pairs;
  const bool many_columns =
      cell.one.counts == Case::CountForm::to_each || cell.one.counts == Case::CountForm::pairs;
  const std::int64_t rows = many_rows ? setting.ranks : 1;
  const std::int64_t columns = many_columns ? setting.ranks : 1;
  const int peers = setting.block == 0 ? 0 : static_cast<int>(columns);
  return {.total = rows * columns * setting.block,
          .largest_row = columns * setting.block,
          .largest_column = rows * setting.block,
          .largest_entry = setting.block,
          .fewest_peers = peers,
          .most_peers = peers,
          .gini = 0};
}

}  // namespace isobath
