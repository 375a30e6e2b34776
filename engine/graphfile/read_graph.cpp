// SPDX-License-Identifier: Apache-2.0
#include "graphfile/read_graph.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "graphfile/text_edges.hpp"

namespace isobath {
namespace {

void check(const GraphRequest& request) {
  const bool has_room = request.format == GraphFormat::packed || request.format == GraphFormat::raw;
  if (has_room || request.weights_path.empty()) return;
  throw UsageError(
      fmt::format("--weights goes with packed and raw edges only; a file of format {} has its own",
                  name_of(request.format)));
}

constexpr std::array<std::string_view, 7> format_names = {"mtx", "el", "wel", "sg", "wsg", "packed", "raw"};

/// Suffixes that mean something beside the names of the formats.
constexpr std::array<std::pair<std::string_view, GraphFormat>, 4> suffixes = {{
    {"txt", GraphFormat::edge_list},
    {"tsv", GraphFormat::edge_list},
    {"edges", GraphFormat::edge_list},
    {"edgelist", GraphFormat::edge_list},
}};

std::string suffix_of(const std::filesystem::path& path) {
  std::string suffix = path.extension().string();
  if (!suffix.empty()) suffix.erase(0, 1);
  std::ranges::transform(suffix, suffix.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return suffix;
}

}  // namespace

std::string_view name_of(GraphFormat format) { return format_names[static_cast<std::size_t>(format)]; }

GraphFormat parse_graph_format(std::string_view name) {
  const auto found = std::ranges::find(format_names, name);
  if (found == format_names.end()) {
    throw UsageError(
        fmt::format("'{}' is no format of graphs; choose mtx, el, wel, sg, wsg, packed or raw", name));
  }
  return static_cast<GraphFormat>(found - format_names.begin());
}

GraphFormat format_of_file(const std::string& path) {
  std::filesystem::path name(path);
  std::string suffix = suffix_of(name);
  if (suffix == "gz" || suffix == "zst" || suffix == "zstd") suffix = suffix_of(name.stem());
  const auto known = std::ranges::find(format_names, suffix);
  if (known != format_names.end()) return static_cast<GraphFormat>(known - format_names.begin());
  const auto alias = std::ranges::find(suffixes, suffix, &std::pair<std::string_view, GraphFormat>::first);
  if (alias != suffixes.end()) return alias->second;
  throw UsageError(fmt::format(
      "the name {} does not say its format; say it with --format mtx, el, wel, sg, wsg, packed or raw",
      path));
}

bool is_text(GraphFormat format) {
  return format == GraphFormat::matrix_market || format == GraphFormat::edge_list ||
         format == GraphFormat::weighted_list;
}

ListedEdges read_graph_file(const GraphRequest& request) {
  check(request);
  using Weights = LineRules::Weights;
  ListedEdges listed;
  listed.path = request.path;
  const int part = request.part;
  const int parts = request.parts;
  const bool wants = request.wants_weights;
  switch (request.format) {
    case GraphFormat::matrix_market:
      read_matrix_market(listed, part, parts, wants);
      break;
    case GraphFormat::edge_list:
      read_edge_list(listed, part, parts, Weights::absent);
      break;
    case GraphFormat::weighted_list:
      read_edge_list(listed, part, parts, wants ? Weights::read : Weights::skipped);
      break;
    case GraphFormat::gapbs:
      read_gapbs(listed, part, parts, false, false, request.weight_type);
      break;
    case GraphFormat::gapbs_weights:
      read_gapbs(listed, part, parts, true, wants, request.weight_type);
      break;
    case GraphFormat::packed:
      read_packed_edges(listed, part, parts, wants ? request.weights_path : std::string());
      break;
    case GraphFormat::raw:
      read_raw_edges(listed, part, parts, wants ? request.weights_path : std::string());
      break;
  }
  return listed;
}

}  // namespace isobath
