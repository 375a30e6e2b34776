// SPDX-License-Identifier: Apache-2.0
#include "collectives/bench.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "collectives/algorithms.hpp"
#include "collectives/buffers.hpp"
#include "collectives/cell_record.hpp"
#include "collectives/stack_sampler.hpp"
#include "comm/bare/collective_calls.hpp"
#include "comm/calls/check.hpp"
#include "machine/available_memory.hpp"
#include "machine/process_facts.hpp"
#include "timing/arrival.hpp"

namespace isobath {
namespace {

constexpr double nanoseconds_per_second = 1e9;
/// Of a cell, to look at their stacks.
constexpr std::int64_t most_sampled_calls = 20'000;

/// All of them are warm-up, unless the budget is too small for a warm-up: is_warm() of timing.
constexpr int wholly_written = 10;

std::string in_gigabytes(std::int64_t bytes) {
  return bytes < 100'000'000 ? fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6)
                             : fmt::format("{:.1f} GB", static_cast<double>(bytes) / 1e9);
}

/// Collective. Every pair exchanges a byte, and a message that is too large to be sent unasked, so that no
/// repetition opens a connection.
void meet_everybody(const Communicator& comm) {
  std::vector<std::byte> out(std::size_t{256} << 10);
  std::vector<std::byte> in(out.size());
  for (int distance = 1; distance < comm.size(); ++distance) {
    const int to = (comm.rank() + distance) % comm.size();
    const int from = (comm.rank() - distance + comm.size()) % comm.size();
    for (const std::size_t bytes : {std::size_t{1}, out.size()}) {
      comm.send_receive<std::byte>(std::span<const std::byte>(out).first(bytes), to,
                                   std::span(in).first(bytes), from);
    }
  }
}

/// Collective. The complaint of the first rank that has one, on all.
std::optional<std::string> agreed(const Communicator& world, const std::optional<std::string>& complaint) {
  if (!world.any(complaint.has_value())) return std::nullopt;
  for (const std::string& text : world.allgather(complaint.value_or(""))) {
    if (!text.empty()) return text;
  }
  return std::nullopt;
}

}  // namespace

/// The calls of one cell on one rank, one for each set of buffers, with what is done before and after them.
class CollectiveBench::TimedCalls {
 public:
  /// Collective where the form is persistent. @param tamper  see BenchOptions
  TimedCalls(BufferSets& buffers, BufferMode mode, std::vector<std::unique_ptr<BareCall>> calls,
             std::function<void(BufferSets&, int)> tamper)
      : buffers_(&buffers), mode_(mode), calls_(std::move(calls)), tamper_(std::move(tamper)) {}

  /// The timed part: the call, and the step to the next set.
  void call() noexcept {
    const int code = calls_[next_]->run();
    if (code != call_succeeded) code_ = code;
    if (++next_ == calls_.size()) next_ = 0;
    ++made_;
  }
  /// Writes what the next call sends. Warm buffers are written as a whole for the first calls only.
  void before(int repetition);
  /// Checks what was received since repetition `first`.
  void after(int first);

  /// Calls so far, which is the number of the next repetition.
  int made() const { return made_; }
  /// What MPI returned when it failed; else call_succeeded.
  int code() const { return code_; }
  /// The first thing that was wrong.
  const std::optional<std::string>& fault() const { return fault_; }

 private:
  BufferSets* buffers_;
  BufferMode mode_;
  std::vector<std::unique_ptr<BareCall>> calls_;
  std::function<void(BufferSets&, int)> tamper_;
  std::size_t next_ = 0;
  int made_ = 0;
  int code_ = call_succeeded;
  std::optional<std::string> fault_;
};

void CollectiveBench::TimedCalls::before(int repetition) {
  if (mode_ == BufferMode::offcache) return;  // written long before, so that no cache has it
  const bool is_whole = mode_ == BufferMode::dirty || repetition < wholly_written;
  if (is_whole) {
    buffers_->fill(0, repetition + 1);
  } else {
    buffers_->stamp(0, repetition + 1);
  }
}

void CollectiveBench::TimedCalls::after(int first) {
  const int used = std::min(made_ - first, buffers_->sets());
  for (int i = 0; i < used; ++i) {
    const int set = (made_ - 1 - i) % buffers_->sets();
    if (tamper_) tamper_(*buffers_, set);
    if (!fault_) {
      if (const std::optional<std::string> found = buffers_->fault(set)) {
        fault_ = fmt::format("after repetition {}: {}", made_ - 1 - i, *found);
      }
    }
    if (mode_ == BufferMode::offcache) buffers_->stamp(set, made_ + set + 1);
  }
}

/// A communicator of a shape, and which of its kind it is.
struct CollectiveBench::Group {
  Communicator comm;
  int colour = 0;
};

/// What was found out about a cell before it is run.
struct CollectiveBench::Plan {
  Group* group = nullptr;
  Setting setting;
  Layout layout;
  int sets = 1;
  bool large_counts = false;
  bool takes_part = true;
  std::int64_t needed_bytes = 0;
};

CollectiveBench::CollectiveBench(const Communicator& world, BenchOptions options)
    : world_(&world),
      options_(std::move(options)),
      clocks_(world, clocks_of_world(world, options_.node_of_rank)),
      began_(now_nanoseconds()),
      variable_names_(variables_.names()),
      machine_of_rank_(world.allgather(host_key())) {}

CollectiveBench::~CollectiveBench() = default;

CollectiveBench::Group& CollectiveBench::group_for(const Cell& cell) {
  const std::string name = fmt::format("{} {}", cell.shape.text(), cell.along.dimension);
  std::unique_ptr<Group>& group = groups_[name];
  if (group == nullptr) {
    const Place place = place_of(world_->rank(), cell.shape, cell.along);
    group = std::make_unique<Group>(Group{world_->split(place.colour, place.key), place.colour});
    meet_everybody(group->comm);
  }
  return *group;
}

/// Collective. Where every rank of the world lies in a shape of several dimensions, asked of MPI once.
const std::vector<std::vector<int>>& CollectiveBench::coordinates_in(const ProcessShape& shape) {
  std::vector<std::vector<int>>& found = coordinates_[shape.text()];
  if (found.empty() && shape.extents.size() > 1) {
    found = BareCommunicator::cartesian(*world_, shape.extents).coordinates();
  }
  return found;
}

/// Collective. Memory of all ranks of a machine against what it has.
std::optional<std::string> CollectiveBench::too_large(const Cell& cell, Plan& plan) {
  const auto rank = static_cast<std::size_t>(world_->rank());
  const auto ranks_here = static_cast<int>(std::ranges::count(machine_of_rank_, machine_of_rank_[rank]));
  const std::int64_t of_set = BufferSets::bytes_of_set(plan.layout, cell.type);
  // all ranks rotate alike
  plan.sets = static_cast<int>(
      world_->max(std::int64_t{sets_for(cell.buffers, of_set, options_.cache_bytes, ranks_here)}));
  const std::vector<std::int64_t> needs = world_->allgather(plan.takes_part ? of_set * plan.sets : 0);
  // A tenth is left to the library and to everybody else.
  const std::int64_t available = available_bytes().value_or(std::int64_t{1} << 62) / 10 * 9;
  const std::vector<std::int64_t> has =
      world_->allgather(options_.memory_limit ? std::min(*options_.memory_limit, available) : available);
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> machines;
  for (std::size_t r = 0; r < needs.size(); ++r) {
    auto& [needed, left] = machines.try_emplace(machine_of_rank_[r], 0, has[r]).first->second;
    if (__builtin_add_overflow(needed, needs[r], &needed)) needed = std::numeric_limits<std::int64_t>::max();
    left = std::min(left, has[r]);
  }
  plan.needed_bytes = 0;
  std::optional<std::string> complaint;
  for (const auto& [machine, needed_and_left] : machines) {
    const auto [needed, left] = needed_and_left;
    plan.needed_bytes = std::max(plan.needed_bytes, needed);
    if (needed > left && !complaint) {
      complaint = fmt::format("needs {}, has {}", in_gigabytes(needed), in_gigabytes(left));
    }
  }
  return complaint;
}

/// Collective. Everything that can be said of a cell before its buffers exist; why it cannot be run.
std::optional<std::string> CollectiveBench::prepare(const Cell& cell, Plan& plan, CollectiveRecord& record) {
  plan.group = &group_for(cell);
  record.coordinates = coordinates_in(cell.shape);
  plan.takes_part = cell.words.together || plan.group->colour == 0;
  const Communicator& comm = plan.group->comm;
  if (std::optional<std::string> found = obstacle(cell, comm.size())) return found;
  const auto recorded = options_.matrices.find(cell.distribution.name);
  const ByteMatrix matrix = recorded == options_.matrices.end()
                                ? ByteMatrix()
                                : part_of(recorded->second, comm.world_ranks(), world_->size());
  std::variant<Counts, std::string> counts = counts_of(cell, comm.size(), matrix);
  const std::string* const refused = std::get_if<std::string>(&counts);
  if (auto found = agreed(*world_, refused == nullptr ? std::nullopt : std::optional(*refused))) return found;
  plan.setting = {.ranks = comm.size(),
                  .type = cell.type,
                  .operation = cell.operation,
                  .root_rank = cell.words.root_rank,
                  .block = cell.one.has_size ? cell.words.size_bytes / bytes_of(cell.type) : 0,
                  .counts = std::get<Counts>(std::move(counts)),
                  .extents = extents_of_one(cell.shape, cell.along)};
  put_sizes(cell, plan.setting, record);
  plan.layout = cell.one.layout(plan.setting, comm.rank());
  plan.layout.arguments.type = cell.type;
  plan.layout.arguments.operation = cell.operation;
  plan.layout.arguments.root_rank = cell.words.root_rank;
  plan.large_counts = world_->any(!fits_small_counts(cell.one.collective, plan.layout.arguments));
  const std::optional<std::string> name = cell.one.call_name(cell.form, plan.large_counts);
  if (!name) {
    const std::string_view called = cell.one.own ? cell.one.own->name : cell.words.collective;
    return plan.large_counts
               ? fmt::format("needs counts or offsets beyond {}, has no {} {} with large counts", 2147483647,
                             cell.words.form, called)
               : fmt::format("needs MPI 4, has no {} {} in this MPI library", cell.words.form, called);
  }
  record.call = *name;
  std::optional<std::string> complaint = too_large(cell, plan);
  record.needed_bytes = plan.needed_bytes;
  return complaint;
}

/// Collective. Whether the library takes another algorithm than the one that was forced: it fails at the
/// first call then, before it sends anything.
bool CollectiveBench::is_refused(const Cell& cell, const Communicator& all, BareCall& call) const {
  if (!cell.words.algorithm) return false;
  int code = call_succeeded;
  {
    const StrictAlgorithms strict(variables_);
    code = call.run();
  }
  return all.any(code != call_succeeded);
}

/// Collective over those who take part; the others return at once.
void CollectiveBench::run(const Cell& cell, Plan& plan, CollectiveRecord& record) {
  if (!plan.takes_part) return;
  const Communicator& group = plan.group->comm;
  const Communicator& all = cell.words.together ? *world_ : group;
  const BareCommunicator bare = cell.one.has_neighbours || plan.setting.extents.size() > 1
                                    ? BareCommunicator::cartesian(group, plan.setting.extents)
                                    : BareCommunicator::duplicate(group);
  const Pattern pattern(cell.type, cell.operation);
  BufferSets buffers(std::move(plan.layout), pattern, cell.type, plan.sets);
  std::vector<std::unique_ptr<BareCall>> calls;
  for (int set = 0; set < plan.sets; ++set) {
    calls.push_back(cell.one.make_call(cell.form, plan.large_counts, buffers.arguments(set), bare));
  }
  if (is_refused(cell, all, *calls[0])) {
    record.not_runnable = fmt::format("needs {} to take {} here, but it refuses",
                                      record.algorithm_variable.value_or(""), record.algorithm.value_or(""));
    return;
  }
  TimedCalls timed(buffers, cell.buffers, std::move(calls), options_.tamper);
  StartOptions start{.alignment = cell.alignment};
  if (cell.words.arrival != "zero") start.delays = arrival_delays(cell.words.arrival, all.size());
  StartAlignment alignment(all, clocks_.clock(), start);
  record.timed_from = name_of(alignment.timed_from());
  const Repetitions repetitions =
      repeat(all, alignment, options_.rule, cell.cadence, [&timed] { timed.call(); },
             {.before = [&timed](int repetition) { timed.before(repetition); },
              .after = [&timed](int first) { timed.after(first); }});
  check(timed.code(), record.call.c_str());
  put_repetitions(*world_, group, repetitions, record);
  look_inside(all, timed, record);
  check(timed.code(), record.call.c_str());
  const std::vector<std::string> faults = all.allgather(timed.fault().value_or(""));
  for (std::size_t rank = 0; rank < faults.size(); ++rank) {
    if (faults[rank].empty() || record.data_check_failure) continue;
    record.data_check_failure = fmt::format("rank {} {}", rank, faults[rank]);
  }
}

/// Collective over those who took part, each as often, after everything that is timed: the stacks that the
/// call has on any rank name its algorithm.
void CollectiveBench::look_inside(const Communicator& all, TimedCalls& timed,
                                  CollectiveRecord& record) const {
  // A non-blocking call is waited for in functions that all algorithms share.
  if (options_.stack_seconds <= 0 || record.form != name_of(Form::blocking)) return;
  if (record.entry_nanoseconds.empty()) return;
  if (record.entry_nanoseconds[0].empty()) return;
  std::vector<std::int64_t> times;
  for (std::size_t i = 0; i < record.entry_nanoseconds[0].size(); ++i) {
    times.push_back(record.exit_nanoseconds[0][i] - record.entry_nanoseconds[0][i]);
  }
  std::ranges::sort(times);
  const std::int64_t typical = all.max(std::max(times[times.size() / 2], std::int64_t{1}));
  const auto wanted = static_cast<std::int64_t>(options_.stack_seconds * nanoseconds_per_second);
  const std::int64_t calls = std::clamp(wanted / typical, std::int64_t{1}, most_sampled_calls);
  StackSampler sampler;
  for (std::int64_t i = 0; i < calls; ++i) {
    const int repetition = timed.made();
    timed.before(repetition);
    sampler.resume();
    timed.call();
    sampler.pause();
    timed.after(repetition);
  }
  const StackSamples mine = sampler.stop();
  std::string text;
  for (const auto& [function, samples] : mine.functions) text += fmt::format("{} {}\n", samples, function);
  for (const std::string& part : all.allgather(text)) {
    std::istringstream lines(part);
    int samples = 0;
    for (std::string function; lines >> samples && std::getline(lines >> std::ws, function);)
      record.stack_functions[function] += samples;
  }
  record.stack_samples = static_cast<int>(all.sum(std::int64_t{mine.samples}));
}

void CollectiveBench::put_algorithm(const Cell& cell, CollectiveRecord& record) const {
  if (cell.one.own) {
    record.algorithm_source = "own";
    record.algorithm = std::string(cell.one.own->name);
    return;
  }
  const std::optional<AlgorithmChoice> known =
      cell.words.algorithm ? cell.words.algorithm
                           : known_algorithm(variables_, variable_names_, cell.one.collective, cell.form);
  record.algorithm_source = known ? "forced" : "unknown";
  if (!known) return;
  record.algorithm = known->value;
  record.algorithm_variable = known->variable;
}

CollectiveRecord CollectiveBench::measure(const Cell& cell, int order) {
  CollectiveRecord record = record_of(cell);
  record.oversubscribed = options_.oversubscribed;
  record.launch = options_.launch;
  record.order = order;
  record.started_seconds = static_cast<double>(now_nanoseconds() - began_) / nanoseconds_per_second;
  put_algorithm(cell, record);
  Plan plan;
  record.not_runnable = prepare(cell, plan, record);
  const ForcedAlgorithm forced(variables_, cell.words.algorithm);
  if (!record.not_runnable) record.not_runnable = agreed(*world_, forced.obstacle());
  if (!record.not_runnable) run(cell, plan, record);
  meet_asleep(*world_);
  clocks_.compare();  // after every cell: what its times may be wrong by, and the line for the next
  record.clock_error_nanoseconds = clocks_.error_nanoseconds();
  return record;
}

}  // namespace isobath
