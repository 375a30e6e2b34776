// SPDX-License-Identifier: Apache-2.0
// Delays, for benchmarks/hangs.py: preloaded into a rank, this library holds its threads up around
// sched_yield, MPI_Isend, MPI_Testsome and MPI_Waitsome, so that they meet in ways in which they seldom do.
//
// Every thread of every rank draws its own character from the seed: for each of the functions how often it is
// held up, and for how long. So one run has a slow sender, the next one a thread that sleeps while it waits
// for room.
//   ISOBATH_DELAYS_SEED          which run it is
//   ISOBATH_DELAYS_MOST_SECONDS  after so much in all a thread is left alone, so that runs end
#include <dlfcn.h>
#include <mpi.h>
#include <sched.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <thread>

extern "C" int omp_get_thread_num() __attribute__((weak));  // of the program, where it has threads

namespace {

enum Function { yielding, isend, testsome, waitsome, functions };

using Seconds = std::chrono::duration<double>;

double number_in(const char* variable, double otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atof(text);
}

/// Rank as the launcher says it: MPI may not be asked before it is there.
int rank_here() {
  for (const char* const variable : {"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID"}) {
    if (const char* const text = std::getenv(variable)) return std::atoi(text);
  }
  return 0;
}

/// SplitMix64 (G. Steele, D. Lea, C. Flood 2014): the same numbers from a seed everywhere.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  /// From 0 to 1, without 1.
  double part() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

/// Seed, rank and thread together.
std::uint64_t seed_here() {
  std::uint64_t seed = static_cast<std::uint64_t>(number_in("ISOBATH_DELAYS_SEED", 0));
  const int thread = omp_get_thread_num == nullptr ? 0 : omp_get_thread_num();
  for (const int part : {rank_here(), thread}) seed = Draws(seed).bits() + static_cast<std::uint64_t>(part);
  return seed;
}

class Delays {
 public:
  Delays() : draw_(seed_here()) {
    for (Character& one : character_) {
      one.chance = std::exp2(-10 * draw_.part());           // of a call: one in 1 to 1024
      one.seconds = 1e-6 * std::pow(1000.0, draw_.part());  // on average: 1 us to 1 ms
      if (draw_.part() < 0.25) one.chance = 0;              // one in four is not held up at all
    }
  }

  void hold_up(Function function) {
    const Character& mine = character_[function];
    if (left_ <= 0 || draw_.part() >= mine.chance) return;
    const double seconds = -mine.seconds * std::log1p(-draw_.part());  // exponential
    left_ -= seconds;
    if (seconds > 50e-6) {
      std::this_thread::sleep_for(Seconds(seconds));
      return;
    }
    const auto until = std::chrono::steady_clock::now() + Seconds(seconds);
    while (std::chrono::steady_clock::now() < until) {
    }
  }

 private:
  struct Character {
    double chance;
    double seconds;
  };
  Draws draw_;
  std::array<Character, functions> character_{};
  double left_ = number_in("ISOBATH_DELAYS_MOST_SECONDS", 2);
};

void hold_up(Function function) {
  thread_local Delays delays;
  delays.hold_up(function);
}

/// Before and after the call.
template <class Call>
auto held_up(Function function, Call&& call) {
  hold_up(function);
  const auto result = call();
  hold_up(function);
  return result;
}

}  // namespace

extern "C" int sched_yield() noexcept {
  static const auto next = reinterpret_cast<int (*)()>(dlsym(RTLD_NEXT, "sched_yield"));
  return held_up(yielding, [&] { return next(); });
}

extern "C" int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                         MPI_Request* request) {
  return held_up(isend, [&] { return PMPI_Isend(buffer, count, type, to, tag, comm, request); });
}

extern "C" int MPI_Testsome(int count, MPI_Request* requests, int* completed, int* which,
                            MPI_Status* statuses) {
  return held_up(testsome, [&] { return PMPI_Testsome(count, requests, completed, which, statuses); });
}

extern "C" int MPI_Waitsome(int count, MPI_Request* requests, int* completed, int* which,
                            MPI_Status* statuses) {
  return held_up(waitsome, [&] { return PMPI_Waitsome(count, requests, completed, which, statuses); });
}
