// SPDX-License-Identifier: Apache-2.0
#include "record/record_writer.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "file_tree.hpp"

namespace isobath {
namespace {

TEST(RecordWriter, ALineIsInTheFileAsSoonAsItIsWritten) {
  const FileTree tree;
  RecordWriter writer(tree.path("records.jsonl"), "r1");
  FailureRecord failure;
  failure.message = "first";
  writer.write(failure);
  EXPECT_EQ(nlohmann::json::parse(tree.read("records.jsonl")).at("message"), "first");

  failure.message = "second";
  writer.write(failure);
  writer.flush();
  const std::string text = tree.read("records.jsonl");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
}

TEST(RecordWriter, EarlierLinesOfAFileStay) {
  const FileTree tree;
  tree.write("records.jsonl", "{\"kind\":\"older\"}\n");
  RecordWriter(tree.path("records.jsonl"), "r1").write(FailureRecord{});
  EXPECT_EQ(tree.read("records.jsonl").find("{\"kind\":\"older\"}\n{"), 0U);
}

TEST(RecordWriter, AFolderThatDoesNotExistIsTheEnvironmentsFault) {
  try {
    RecordWriter("/nonexistent/records.jsonl", "r1");
    FAIL() << "opened";
  } catch (const EnvironmentError& error) {
    EXPECT_NE(std::string(error.what()).find("/nonexistent/records.jsonl"), std::string::npos)
        << error.what();
    EXPECT_EQ(error.code(), ExitCode::environment);
  }
}

TEST(RecordWriter, AFullDeviceIsTheEnvironmentsFault) {
  RecordWriter writer("/dev/full", "r1");
  EXPECT_THROW(writer.write(FailureRecord{}), EnvironmentError);
}

/// Runs `body` in a process of its own, whose files cannot grow beyond `bytes`; returns its exit status.
template <class Body>
int with_file_size_limit(rlim_t bytes, Body&& body) {
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(body());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(RecordWriter, ALineThatDoesNotFitLeavesTheEarlierLinesWhole) {
  const FileTree tree;
  const std::string path = tree.path("records.jsonl");
  const int status = with_file_size_limit(1000, [&] {
    try {
      RecordWriter writer(path, "r1");
      FailureRecord failure;
      writer.write(failure);
      writer.write(failure);
      failure.message = std::string(2000, 'x');
      writer.write(failure);
    } catch (const EnvironmentError&) {
      return 3;
    }
    return 0;
  });
  EXPECT_EQ(status, 3);
  const std::string text = tree.read("records.jsonl");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
  EXPECT_EQ(text.back(), '\n') << "no half line is left";
}

TEST(WriteFile, WritesTheWholeFileUnderItsNameOrNothing) {
  const FileTree tree;
  write_file(tree.path("out.txt"), "hello\n");
  EXPECT_EQ(tree.read("out.txt"), "hello\n");
  EXPECT_FALSE(std::filesystem::exists(tree.path("out.txt.partial")));

  const int status = with_file_size_limit(100, [&] {
    try {
      write_file(tree.path("out.txt"), std::string(500, 'x'));
    } catch (const EnvironmentError&) {
      return 3;
    }
    return 0;
  });
  EXPECT_EQ(status, 3);
  EXPECT_EQ(tree.read("out.txt"), "hello\n") << "the earlier file stays";
  EXPECT_FALSE(std::filesystem::exists(tree.path("out.txt.partial")));
  EXPECT_THROW(write_file("/dev/full", "text"), EnvironmentError);
  EXPECT_THROW(write_file("/nonexistent/out.txt", "text"), EnvironmentError);
}

}  // namespace
}  // namespace isobath
