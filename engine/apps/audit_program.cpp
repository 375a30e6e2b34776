// SPDX-License-Identifier: Apache-2.0
#include "apps/audit_program.hpp"

#include <atomic>
#include <exception>
#include <fstream>
#include <span>

#include <fmt/format.h>

#include "base/threads.hpp"
#include "record/audit_lines.hpp"

namespace isobath {
namespace {

std::vector<AuditedSearch> read_searches(const AuditRequest& request) {
  std::ifstream file(request.searches_file);
  if (!file) throw UsageError(fmt::format("cannot read {}; name a file of searches", request.searches_file));
  std::vector<AuditedSearch> searches = read_audited_searches(file, request.searches_file);
  for (const AuditedSearch& search : searches) {
    if (search.root < request.graph.num_vertices()) continue;
    throw UsageError(fmt::format("root {} of search {} is no vertex of scale {}; vertices are 0 to {}",
                                 search.root, search.search, request.graph.scale,
                                 request.graph.num_vertices() - 1));
  }
  return searches;
}

std::vector<Edge> generate(const KroneckerParameters& parameters) {
  const KroneckerGenerator generator(parameters);
  std::vector<Edge> edges(static_cast<std::size_t>(parameters.num_edges()));
#pragma omp parallel
  {
    const auto [first, end] = static_share(parameters.num_edges(), thread_id(), num_threads());
    generator.edges(first, std::span(edges).subspan(static_cast<std::size_t>(first),
                                                    static_cast<std::size_t>(end - first)));
  }
  return edges;
}

std::string lines_of(const AuditedSearch& search, const reference::TrafficWalk& walk) {
  std::string text;
  for (auto& line : walk.search(GlobalVertex{search.root}, search.bottom_up)) {
    text += to_json({search.search, line.level, line.phase, static_cast<char>(line.audit_class),
                     std::move(line.bytes_of_rank)});
    text += '\n';
  }
  return text;
}

}  // namespace

void print_audit(const AuditRequest& request) {
  if (request.threads > 0) set_num_threads(request.threads);
  const std::vector<AuditedSearch> searches = read_searches(request);
  const reference::TrafficWalk walk(request.graph.num_vertices(), generate(request.graph), request.rules);
  std::vector<std::string> texts(searches.size());
  std::exception_ptr failure;
  std::atomic<bool> has_failed = false;
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t i = 0; i < searches.size(); ++i) {
    try {
      if (!has_failed) texts[i] = lines_of(searches[i], walk);
    } catch (...) {
      if (!has_failed.exchange(true)) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
  for (const std::string& text : texts) fmt::print("{}", text);
  if (std::fflush(stdout) != 0) throw EnvironmentError("cannot write standard output; redirect it elsewhere");
}

}  // namespace isobath
