// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph500/progress.hpp"

namespace isobath {

/// What a run says on standard error: with `verbose` the lines of the reference program, always what went
/// wrong. Only rank 0 says anything.
class ProgressLines final : public Progress {
 public:
  ProgressLines(int rank, bool verbose) : is_speaker_(rank == 0), is_verbose_(rank == 0 && verbose) {}

  void generated(double seconds) override;
  void constructed(double seconds) override;
  void construction_is_wrong(const char* sentence) override;
  void search_begins(Kernel kernel, int index) override;
  void search_ended(Kernel kernel, int index, double seconds, double teps) override;
  void validation_begins(Kernel kernel, int index) override;
  void validated(Kernel kernel, int index, double seconds, const std::string& violation) override;

 private:
  bool is_speaker_;
  bool is_verbose_;
};

}  // namespace isobath
