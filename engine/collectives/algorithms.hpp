// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "comm/bare/collective_calls.hpp"
#include "comm/bare/control_variables.hpp"
#include "record/collective_cells.hpp"

namespace isobath {

/// Which of a library's control variables choose the algorithm of a collective: of MPICH and its kin
/// MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM, of Open MPI coll_tuned_allreduce_algorithm, of non-blocking ones
/// MPIR_CVAR_IALLREDUCE_INTRA_ALGORITHM and coll_libnbc_iallreduce_algorithm. Those that are among `names`.
std::vector<std::string> algorithm_variables(Collective collective, Form form,
                                             std::span<const std::string> names);

/// True of the values with which a library chooses by itself: auto, ignore, 0.
bool is_own_choice(const std::string& value);

/// Where a device of MPICH may take a collective out of the hands of the algorithm that such a variable
/// names, the variable that forbids it: MPIR_CVAR_ALLREDUCE_DEVICE_COLLECTIVE.
std::optional<std::string> device_variable(const std::string& algorithm_variable);

/// The library's algorithm, forced as long as this object lives.
class ForcedAlgorithm {
 public:
  /// On every rank alike. Nothing is forced where there is no choice. A communicator must be made after it,
  /// since libraries look when they make one.
  ForcedAlgorithm(const ControlVariables& variables, const std::optional<AlgorithmChoice>& choice);
  ForcedAlgorithm(const ForcedAlgorithm&) = delete;
  ForcedAlgorithm& operator=(const ForcedAlgorithm&) = delete;
  /// Puts the value back that was there.
  ~ForcedAlgorithm();

  /// Why it could not be forced.
  const std::optional<std::string>& obstacle() const { return obstacle_; }

 private:
  const ControlVariables* variables_;
  std::vector<AlgorithmChoice> before_;
  std::optional<std::string> obstacle_;

  std::optional<std::string> set(const std::string& variable, const std::string& value);
};

/// As long as this object lives, a library that knows of it fails rather than to take another algorithm in
/// silence than it was told to. For one call: everything else would fail too.
class StrictAlgorithms {
 public:
  explicit StrictAlgorithms(const ControlVariables& variables);
  StrictAlgorithms(const StrictAlgorithms&) = delete;
  StrictAlgorithms& operator=(const StrictAlgorithms&) = delete;
  ~StrictAlgorithms();

 private:
  const ControlVariables* variables_;
  std::optional<std::string> before_;
};

/// What is known of the algorithm of a call: the value of its control variable, where the launch gave it one
/// and no device may overrule it.
std::optional<AlgorithmChoice> known_algorithm(const ControlVariables& variables,
                                               std::span<const std::string> names, Collective collective,
                                               Form form);

}  // namespace isobath
