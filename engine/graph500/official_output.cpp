// SPDX-License-Identifier: Apache-2.0
#include "graph500/official_output.hpp"

#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "base/expects.hpp"

namespace isobath {
namespace {

/// One line of the reference: the label padded to the column of values.
void put(std::string& text, std::string_view label, std::string_view value) {
  fmt::format_to(std::back_inserter(text), "{:<32}{}\n", label, value);
}

std::string general(double value) { return fmt::format("{:g}", value); }

/// A statistic that a single search does not have is what the reference prints for it, which its readers know
/// how to take out.
std::string reference_value(const std::optional<double>& value) { return value ? general(*value) : "-nan"; }

/// The seven lines of a sample; labels are prefix + name + suffix. `edges` has the form of edge counts.
enum class Form { seconds, edges };
void put_sample(std::string& text, std::string_view prefix, std::string_view suffix, const Statistics& sample,
                Form form) {
  const auto value = [form](double number) {
    return form == Form::edges ? fmt::format("{:.11g}", number) : general(number);
  };
  const auto line = [&](std::string_view name, const std::string& printed) {
    put(text, fmt::format("{}{}_{}:", prefix, name, suffix), printed);
  };
  line("min", value(sample.min));
  line("firstquartile", value(sample.first_quartile));
  line("median", value(sample.median));
  line("thirdquartile", value(sample.third_quartile));
  line("max", value(sample.max));
  line("mean", value(sample.mean));
  line("stddev", sample.standard_deviation ? value(*sample.standard_deviation) : "-nan");
}

/// One line of the specification's form.
void put_exact(std::string& text, std::string_view name, const std::optional<double>& value) {
  if (value) {
    fmt::format_to(std::back_inserter(text), "{}: {:20.17e}\n", name, *value);
  } else {
    fmt::format_to(std::back_inserter(text), "{}: NaN\n", name);
  }
}

void put_exact_sample(std::string& text, std::string_view suffix, const Statistics& sample) {
  const auto line = [&](std::string_view name, const std::optional<double>& value) {
    put_exact(text, fmt::format("bfs_{}_{}", name, suffix), value);
  };
  line("min", sample.min);
  line("firstquartile", sample.first_quartile);
  line("median", sample.median);
  line("thirdquartile", sample.third_quartile);
  line("max", sample.max);
  line("mean", sample.mean);
  line("stddev", sample.standard_deviation);
}

}  // namespace

OfficialNumbers official_numbers(OfficialNumbers heading, std::span<const OfficialSearch> searches,
                                 SelfLoops loops) {
  ISOBATH_EXPECTS(!searches.empty());
  std::vector<double> seconds;
  std::vector<double> edges;
  std::vector<double> validation;
  for (const OfficialSearch& search : searches) {
    seconds.push_back(search.seconds);
    edges.push_back(static_cast<double>(loops == SelfLoops::counted ? search.traversed_edges_with_self_loops
                                                                    : search.traversed_edges));
    validation.push_back(search.validation_seconds.value_or(-1));
  }
  heading.searches = static_cast<int>(searches.size());
  heading.seconds = statistics(seconds);
  heading.traversed_edges = statistics(edges);
  heading.teps = rate_statistics(edges, seconds);
  heading.validation_seconds = statistics(validation);
  return heading;
}

std::string reference_text(const OfficialNumbers& numbers, bool bang) {
  std::string text;
  put(text, "SCALE:", std::to_string(numbers.scale));
  put(text, "edgefactor:", std::to_string(numbers.edgefactor));
  put(text, "NBFS:", std::to_string(numbers.searches));
  put(text, "graph_generation:", general(numbers.generation_seconds));
  put(text, "num_mpi_processes:", std::to_string(numbers.ranks));
  put(text, "construction_time:", general(numbers.construction_seconds));
  put_sample(text, "bfs  ", "time", numbers.seconds, Form::seconds);
  put_sample(text, "", "nedge", numbers.traversed_edges, Form::edges);
  put(text, "bfs  min_TEPS:", general(numbers.teps.min));
  put(text, "bfs  firstquartile_TEPS:", general(numbers.teps.first_quartile));
  put(text, "bfs  median_TEPS:", general(numbers.teps.median));
  put(text, "bfs  thirdquartile_TEPS:", general(numbers.teps.third_quartile));
  put(text, "bfs  max_TEPS:", general(numbers.teps.max));
  put(text, bang ? "bfs  harmonic_mean_TEPS:     !" : "bfs  harmonic_mean_TEPS:",
      general(numbers.teps.harmonic_mean));
  put(text, "bfs  harmonic_stddev_TEPS:", reference_value(numbers.teps.harmonic_standard_error));
  put_sample(text, "bfs  ", "validate", numbers.validation_seconds, Form::seconds);
  return text;
}

std::string invalid_run_text() { return "No results printed for invalid run.\n"; }

std::string specification_text(const OfficialNumbers& numbers, const std::vector<std::string>& disclosures) {
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "SCALE: {}\n", numbers.scale);
  fmt::format_to(out, "edgefactor: {}\n", numbers.edgefactor);
  fmt::format_to(out, "NBFS: {}\n", numbers.searches);
  put_exact(text, "construction_time", numbers.construction_seconds);
  put_exact_sample(text, "time", numbers.seconds);
  put_exact_sample(text, "nedge", numbers.traversed_edges);
  put_exact(text, "bfs_min_TEPS", numbers.teps.min);
  put_exact(text, "bfs_firstquartile_TEPS", numbers.teps.first_quartile);
  put_exact(text, "bfs_median_TEPS", numbers.teps.median);
  put_exact(text, "bfs_thirdquartile_TEPS", numbers.teps.third_quartile);
  put_exact(text, "bfs_max_TEPS", numbers.teps.max);
  put_exact(text, "bfs_harmonic_mean_TEPS", numbers.teps.harmonic_mean);
  put_exact(text, "bfs_harmonic_stddev_TEPS", numbers.teps.harmonic_standard_error);
  put_exact(text, "graph_generation", numbers.generation_seconds);
  fmt::format_to(out, "num_mpi_processes: {}\n", numbers.ranks);
  text +=
      "# nedge and TEPS count self-loops, as the text of the specification does; reference 3.0 leaves them "
      "out\n";
  for (const std::string& disclosure : disclosures) fmt::format_to(out, "# {}\n", disclosure);
  return text;
}

}  // namespace isobath
