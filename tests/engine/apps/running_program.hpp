// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace isobath::test {

/// How a program ended.
struct Ending {
  int code = -1;  // exit code, or minus the signal
  std::string output;
  std::string errors;
};

/// A program that runs beside the test, with its standard output and error in files of `folder`. Variables
/// that would make it another rank of somebody's launch, or decide its threads, are taken out of its
/// environment.
class RunningProgram {
 public:
  RunningProgram(const std::vector<std::string>& command, const std::string& folder,
                 const std::vector<std::string>& environment = {});
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;
  ~RunningProgram();  // kills what still runs

  int pid() const { return pid_; }
  /// Waits for `condition`; false when the program ended or a minute passed before.
  bool wait_for(const std::function<bool()>& condition);
  void send(int signal_number) const;
  /// Waits for the end; a program that needs more than two minutes is killed.
  Ending end();

 private:
  bool has_ended();

  std::string folder_;
  int pid_ = -1;
  int status_ = 0;
  bool ended_ = false;
};

/// Runs a program to its end.
Ending run(const std::vector<std::string>& command, const std::string& folder,
           const std::vector<std::string>& environment = {});

/// The command that starts `ranks` ranks of isobath-graph500 (0: without a launcher) with `arguments`, words
/// separated by blanks.
std::vector<std::string> graph500(int ranks, const std::string& arguments);

/// The same for another program of the tests.
std::vector<std::string> launched(int ranks, const std::string& program, const std::string& arguments);

}  // namespace isobath::test
