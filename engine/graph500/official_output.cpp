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

void put_exact_sample(std::string& text, std::string_view kernel, std::string_view suffix,
                      const Statistics& sample) {
  const auto line = [&](std::string_view name, const std::optional<double>& value) {
    put_exact(text, fmt::format("{}_{}_{}", kernel, name, suffix), value);
  };
  line("min", sample.min);
  line("firstquartile", sample.first_quartile);
  line("median", sample.median);
  line("thirdquartile", sample.third_quartile);
  line("max", sample.max);
  line("mean", sample.mean);
  line("stddev", sample.standard_deviation);
}

/// The seven lines of the reference; `prefix` is as wide as it prints it.
void put_rates(std::string& text, std::string_view prefix, const RateStatistics& teps, bool bang) {
  const auto line = [&](std::string_view name, const std::string& value) {
    put(text, fmt::format("{}{}", prefix, name), value);
  };
  line("min_TEPS:", general(teps.min));
  line("firstquartile_TEPS:", general(teps.first_quartile));
  line("median_TEPS:", general(teps.median));
  line("thirdquartile_TEPS:", general(teps.third_quartile));
  line("max_TEPS:", general(teps.max));
  line(bang ? "harmonic_mean_TEPS:     !" : "harmonic_mean_TEPS:", general(teps.harmonic_mean));
  line("harmonic_stddev_TEPS:", reference_value(teps.harmonic_standard_error));
}

/// All numbers of one kernel under the names of the specification.
void put_exact_kernel(std::string& text, std::string_view kernel, const KernelNumbers& numbers) {
  const auto rate = [&](std::string_view name, const std::optional<double>& value) {
    put_exact(text, fmt::format("{}_{}_TEPS", kernel, name), value);
  };
  put_exact_sample(text, kernel, "time", numbers.seconds);
  put_exact_sample(text, kernel, "nedge", numbers.traversed_edges);
  rate("min", numbers.teps.min);
  rate("firstquartile", numbers.teps.first_quartile);
  rate("median", numbers.teps.median);
  rate("thirdquartile", numbers.teps.third_quartile);
  rate("max", numbers.teps.max);
  rate("harmonic_mean", numbers.teps.harmonic_mean);
  rate("harmonic_stddev", numbers.teps.harmonic_standard_error);
}

/// The reference prints names of kernels in one width.
constexpr std::string_view bfs_prefix = "bfs  ";
constexpr std::string_view sssp_prefix = "sssp ";

}  // namespace

KernelNumbers kernel_numbers(std::span<const OfficialSearch> searches, SelfLoops loops) {
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
  return {.seconds = statistics(seconds),
          .traversed_edges = statistics(edges),
          .teps = rate_statistics(edges, seconds),
          .validation_seconds = statistics(validation)};
}

std::string reference_text(const OfficialNumbers& numbers, bool bang) {
  ISOBATH_EXPECTS(numbers.bfs || numbers.sssp);
  std::string text;
  put(text, "SCALE:", std::to_string(numbers.scale));
  put(text, "edgefactor:", std::to_string(numbers.edgefactor));
  put(text, "NBFS:", std::to_string(numbers.searches));
  put(text, "graph_generation:", general(numbers.generation_seconds));
  put(text, "num_mpi_processes:", std::to_string(numbers.ranks));
  put(text, "construction_time:", general(numbers.construction_seconds));
  if (numbers.bfs) put_sample(text, bfs_prefix, "time", numbers.bfs->seconds, Form::seconds);
  if (numbers.sssp) put_sample(text, sssp_prefix, "time", numbers.sssp->seconds, Form::seconds);
  put_sample(text, "", "nedge", (numbers.sssp ? numbers.sssp : numbers.bfs)->traversed_edges, Form::edges);
  if (numbers.bfs) put_rates(text, bfs_prefix, numbers.bfs->teps, bang);
  if (numbers.sssp) put_rates(text, sssp_prefix, numbers.sssp->teps, bang);
  if (numbers.bfs) put_sample(text, bfs_prefix, "validate", numbers.bfs->validation_seconds, Form::seconds);
  if (numbers.sssp)
    put_sample(text, sssp_prefix, "validate", numbers.sssp->validation_seconds, Form::seconds);
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
  if (numbers.bfs) put_exact_kernel(text, "bfs", *numbers.bfs);
  if (numbers.sssp) put_exact_kernel(text, "sssp", *numbers.sssp);
  put_exact(text, "graph_generation", numbers.generation_seconds);
  fmt::format_to(out, "num_mpi_processes: {}\n", numbers.ranks);
  text +=
      "# nedge and TEPS count self-loops, as the text of the specification does; reference 3.0 leaves them "
      "out\n";
  for (const std::string& disclosure : disclosures) fmt::format_to(out, "# {}\n", disclosure);
  return text;
}

}  // namespace isobath
