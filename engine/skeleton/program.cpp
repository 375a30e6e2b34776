// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "skeleton/play.hpp"
#include "skeleton/world.hpp"

namespace isobath::skeleton {

namespace {

constexpr int done = 0;
constexpr int usage = 2;

constexpr const char* help =
    "Plays the calls of a search, with its counts and without its data.\n"
    "usage: isobath-skeleton SCHEDULE [--run-id ID]\n"
    "SCHEDULE is written by isobath simulate; docs/explanation/simulating.md tells its form.\n"
    "Each step is a record on standard output: what was sent, and how long it took.\n";

struct Options {
  std::string schedule;
  std::string run_id = "skeleton";
};

/// Throws std::runtime_error for words that are no command line.
Options read_options(int argc, char** argv) {
  Options options;
  for (int word = 1; word < argc; ++word) {
    const std::string text = argv[word];
    if (text == "--run-id" && word + 1 < argc) {
      options.run_id = argv[++word];
      for (const char letter : options.run_id) {
        if (letter < ' ' || letter == '"' || letter == '\\')
          throw std::runtime_error("--run-id has signs that no id has");
      }
    } else if (options.schedule.empty() && text.rfind("--", 0) != 0) {
      options.schedule = text;
    } else {
      throw std::runtime_error("'" + text + "' is no option; see isobath-skeleton --help");
    }
  }
  if (options.schedule.empty()) throw std::runtime_error("name a schedule; see isobath-skeleton --help");
  return options;
}

void play_file(const Options& options) {
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::ifstream file(options.schedule);
  if (!file) throw std::runtime_error("cannot read " + options.schedule);
  const Schedule schedule = read_schedule(file, options.schedule, rank, ranks);
  write_records(schedule, play(schedule), options.run_id);
}

/// What all ranks have in each place together, at rank 0; nothing elsewhere.
template <typename Value>
std::vector<Value> reduced(int rank, const std::vector<Value>& own, MPI_Datatype type, MPI_Op operation) {
  std::vector<Value> together(rank == 0 ? own.size() : 0);
  MPI_Reduce(own.data(), together.data(), static_cast<int>(own.size()), type, operation, 0, MPI_COMM_WORLD);
  return together;
}

}  // namespace

void write_records(const Schedule& schedule, const std::vector<Played>& played, const std::string& run_id) {
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  // One reduction of each kind for all steps. Ranks of a simulator run ahead of one another, and reductions
  // of every step would be messages by the thousand, all looked through for each that arrives.
  std::vector<long long> counts;
  std::vector<double> longest;
  std::vector<double> seconds;
  for (const Played& own : played) {
    counts.insert(counts.end(), {own.calls, own.messages, own.bytes_sent});
    longest.insert(longest.end(), {own.seconds, own.ended});
    seconds.push_back(own.seconds);
  }
  const std::vector<long long> all_counts = reduced(rank, counts, MPI_LONG_LONG, MPI_SUM);
  const std::vector<double> all_longest = reduced(rank, longest, MPI_DOUBLE, MPI_MAX);
  const std::vector<double> all_seconds = reduced(rank, seconds, MPI_DOUBLE, MPI_SUM);
  for (std::size_t number = 0; rank == 0 && number < played.size(); ++number) {
    const Step& step = schedule.steps[number];
    std::printf(
        "{\"schema\":1,\"kind\":\"skeleton\",\"run_id\":\"%s\",\"origin\":\"%s\",\"ranks\":%d,\"step\":%zu,"
        "\"level\":%d,\"phase\":\"%s\",\"call\":\"%s\",\"communicator\":\"%s\",\"calls\":%lld,\"messages\":%"
        "lld,"
        "\"bytes_sent\":%lld,\"seconds_mean\":%.12g,\"seconds_max\":%.12g,\"ended_seconds\":%.12g}\n",
        run_id.c_str(), origin(), ranks, number, step.level, step.phase.c_str(), name_of(step.call).data(),
        name_of(step.along).data(), all_counts[3 * number], all_counts[3 * number + 1],
        all_counts[3 * number + 2], all_seconds[number] / ranks, all_longest[2 * number],
        all_longest[2 * number + 1]);
  }
  if (rank == 0) std::fflush(stdout);
}

int run_program(int argc, char** argv) {
  for (int word = 1; word < argc; ++word) {
    if (std::string(argv[word]) == "--help") {
      std::fputs(help, stdout);
      return done;
    }
  }
  MPI_Init(&argc, &argv);
  int code = done;
  try {
    begin();
    play_file(read_options(argc, argv));
  } catch (const std::exception& problem) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) std::fprintf(stderr, "isobath-skeleton: %s\n", problem.what());
    code = usage;
  }
  MPI_Finalize();
  return code;
}

}  // namespace isobath::skeleton
