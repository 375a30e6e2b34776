// SPDX-License-Identifier: Apache-2.0
#include "running_program.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace isobath::test {
namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream in(text);
  std::string word;
  while (in >> word) words.push_back(word);
  return words;
}

std::string content_of(const std::string& path) {
  std::ostringstream content;
  content << std::ifstream(path).rdbuf();
  return content.str();
}

/// Standard output and error of this process become files; for the child between fork and exec.
void redirect(const std::string& path, int descriptor) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  dup2(file, descriptor);
  close(file);
}

[[noreturn]] void become(const std::vector<std::string>& command,
                         const std::vector<std::string>& environment) {
  for (const char* name : {"OMP_NUM_THREADS", "OMP_WAIT_POLICY", "ISOBATH_EXPECT_RANKS",
                           "ISOBATH_MPI_COUNT_LIMIT", "ISOBATH_STOP_SECONDS"}) {
    unsetenv(name);
  }
  for (const std::string& setting : environment) {
    const auto equals = setting.find('=');
    setenv(setting.substr(0, equals).c_str(), setting.substr(equals + 1).c_str(), 1);
  }
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  execv(argv[0], argv.data());
  _exit(127);
}

}  // namespace

RunningProgram::RunningProgram(const std::vector<std::string>& command, const std::string& folder,
                               const std::vector<std::string>& environment)
    : folder_(folder), pid_(fork()) {
  if (pid_ < 0) throw std::runtime_error("cannot start a program");
  if (pid_ == 0) {
    redirect(folder + "/stdout", STDOUT_FILENO);
    redirect(folder + "/stderr", STDERR_FILENO);
    become(command, environment);
  }
}

RunningProgram::~RunningProgram() {
  if (has_ended()) return;
  kill(pid_, SIGTERM);  // a launcher takes its ranks along
  std::this_thread::sleep_for(std::chrono::seconds(1));
  if (!has_ended()) {
    kill(pid_, SIGKILL);
    waitpid(pid_, &status_, 0);
  }
}

bool RunningProgram::has_ended() {
  if (!ended_) ended_ = waitpid(pid_, &status_, WNOHANG) == pid_;
  return ended_;
}

bool RunningProgram::wait_for(const std::function<bool()>& condition) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (std::chrono::steady_clock::now() < until) {
    if (condition()) return true;
    if (has_ended()) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

void RunningProgram::send(int signal_number) const { kill(pid_, signal_number); }

Ending RunningProgram::end() {
  const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (!has_ended() && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  if (!has_ended()) {
    kill(pid_, SIGKILL);
    waitpid(pid_, &status_, 0);
    ended_ = true;
  }
  return {WIFEXITED(status_) ? WEXITSTATUS(status_) : -WTERMSIG(status_), content_of(folder_ + "/stdout"),
          content_of(folder_ + "/stderr")};
}

Ending run(const std::vector<std::string>& command, const std::string& folder,
           const std::vector<std::string>& environment) {
  return RunningProgram(command, folder, environment).end();
}

std::vector<std::string> launched(int ranks, const std::string& program, const std::string& arguments) {
  std::vector<std::string> command;
  if (ranks > 0) {
    command = {ISOBATH_MPIEXEC};
    for (const std::string& flag : words_of(ISOBATH_MPIEXEC_FLAGS)) command.push_back(flag);
    command.insert(command.end(), {"-n", std::to_string(ranks)});
  }
  command.push_back(program);
  for (const std::string& word : words_of(arguments)) command.push_back(word);
  return command;
}

std::vector<std::string> graph500(int ranks, const std::string& arguments) {
  return launched(ranks, ISOBATH_GRAPH500, arguments);
}

}  // namespace isobath::test
