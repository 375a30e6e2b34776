// SPDX-License-Identifier: Apache-2.0
// What stands in a rank's file, line by line, against a writer by streams.
#include "profiler/rank_file.hpp"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "record/file_tree.hpp"

namespace isobath::profiler {
namespace {

/// Two ranks; a communicator of both, a region, and some calls.
Recorder recorded(Limits limits = {}) {
  Recorder recorder(limits, 2);
  Communicator both;
  both.rank = 1;
  both.size = 2;
  both.peers = {0, 1};
  both.hash = 0x1234;
  recorder.add_communicator(both);
  const int thread = recorder.thread_begins(100);
  recorder.regions().enter("levels", 7);
  Traffic traffic;
  traffic.sent(0, 0, 24);
  traffic.argument(24);
  recorder.add({.call = CallId::send, .thread = thread, .communicator = 0, .entry = 110, .exit = 115},
               traffic);
  traffic.clear();
  traffic.sent(0, Traffic::everybody, 8);
  traffic.received(0, Traffic::everybody, 8);
  traffic.kept(8);
  for (int i = 0; i < 300; ++i) {
    recorder.add({.call = CallId::allreduce,
                  .thread = thread,
                  .join = Join::all,
                  .traffic_class = TrafficClass::collective,
                  .communicator = 0,
                  .entry = 200 + 10 * i,
                  .exit = 203 + 10 * i},
                 traffic);
  }
  return recorder;
}

RankFacts facts_of_rank_one() {
  RankFacts facts;
  facts.rank = 1;
  facts.size = 2;
  facts.ended = "finalized";
  facts.library = "a library\nof two lines";
  facts.nanoseconds = 5000;
  facts.now = 9000;
  facts.process.pid = 42;
  return facts;
}

class RankFile : public testing::Test {
 protected:
  std::vector<std::string> written(const RankFacts& facts, const Recorder& recorder, Detail detail) {
    write_rank_file(tree_.path("rank"), facts, recorder, detail);
    EXPECT_FALSE(std::filesystem::exists(tree_.path("rank.part"))) << "it has its last name";
    std::vector<std::string> lines;
    std::istringstream text(tree_.read("rank.jsonl"));
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  }
  static std::vector<std::string> of_kind(const std::vector<std::string>& lines, const std::string& kind) {
    std::vector<std::string> found;
    for (const std::string& line : lines) {
      if (line.starts_with("{\"line\":\"" + kind + "\"")) found.push_back(line);
    }
    return found;
  }

  FileTree tree_;
};

TEST_F(RankFile, HasALineForEverythingThatWasRecorded) {
  const Recorder recorder = recorded();
  const std::vector<std::string> lines = written(facts_of_rank_one(), recorder, Detail::all);
  ASSERT_FALSE(lines.empty());
  for (const char* said :
       {"\"rank\":1,\"ranks\":2,\"pid\":42,\"nanoseconds\":5000,\"calls\":301,", "\"instances_left_out\":0,",
        "\"abi\":\"test\",\"ended\":\"finalized\"", "\"library\":\"a library\"}"}) {
    EXPECT_NE(lines.front().find(said), std::string::npos) << said << " in\n" << lines.front();
  }
  EXPECT_EQ(of_kind(lines, "communicator"),
            std::vector<std::string>{"{\"line\":\"communicator\",\"index\":0,\"id\":\"0000000000001234-0\","
                                     "\"rank\":1,\"size\":2,\"inter\":false,\"peers\":[0,1]}"});
  EXPECT_EQ(of_kind(lines, "region").back(),
            "{\"line\":\"region\",\"index\":2,\"number\":7,\"name\":\"levels\"}");
  EXPECT_EQ(of_kind(lines, "cell"),
            (std::vector<std::string>{
                "{\"line\":\"cell\",\"index\":0,\"call\":\"send\",\"join\":\"none\",\"communicator\":0,"
                "\"region\":2,\"search\":-1,\"calls\":1,\"messages\":1,\"sent\":24,\"received\":0,\"kept\":0,"
                "\"argument\":24,\"receives_unknown\":0,\"nanoseconds\":5,\"max_nanoseconds\":5}",
                "{\"line\":\"cell\",\"index\":1,\"call\":\"allreduce\",\"join\":\"all\",\"communicator\":0,"
                "\"region\":2,\"search\":-1,\"calls\":300,\"messages\":300,\"sent\":2400,\"received\":2400,"
                "\"kept\":2400,\"argument\":0,\"receives_unknown\":0,\"nanoseconds\":900,"
                "\"max_nanoseconds\":3}"}));
  EXPECT_EQ(of_kind(lines, "thread"),
            std::vector<std::string>{"{\"line\":\"thread\",\"index\":0,\"threads\":1,\"wall\":8900,"
                                     "\"nanoseconds\":905,\"calls\":301,\"sent\":2424,\"received\":2400}"});
  EXPECT_EQ(
      of_kind(lines, "peer"),
      (std::vector<std::string>{"{\"line\":\"peer\",\"class\":\"point_to_point\",\"peer\":0,\"sent\":24,"
                                "\"messages\":1,\"received\":0}",
                                "{\"line\":\"peer\",\"class\":\"collective\",\"peer\":0,\"sent\":2400,"
                                "\"messages\":300,\"received\":2400}"}));
  EXPECT_EQ(lines.back(), "{\"line\":\"end\"}");
}

TEST_F(RankFile, HasInstancesSeveralToALine) {
  const Recorder recorder = recorded();
  std::string expected;
  std::size_t count = 0;
  for (const Instance& one : recorder.instances()) {
    std::ostringstream row;
    row << '[' << one.cell << ',' << one.root << ',' << one.entry << ',' << one.exit - one.entry << ','
        << one.bytes_sent << ',' << one.all_calls << ',' << one.all_bytes_sent << ',' << one.all_nanoseconds
        << ']';
    expected += count == 0     ? "{\"line\":\"instances\",\"rows\":["
                : count == 256 ? "]}\n{\"line\":\"instances\",\"rows\":["
                               : ",";
    expected += row.str();
    ++count;
  }
  expected += "]}\n";
  ASSERT_EQ(count, 300U);
  std::string found;
  for (const std::string& line : of_kind(written(facts_of_rank_one(), recorder, Detail::all), "instances")) {
    found += line + "\n";
  }
  EXPECT_EQ(found, expected);
}

TEST_F(RankFile, OfTotalsSaysHowManyInstancesItLeavesOut) {
  const std::vector<std::string> lines =
      written(facts_of_rank_one(), recorded({.instances = 290}), Detail::totals);
  EXPECT_TRUE(of_kind(lines, "instances").empty());
  EXPECT_NE(lines.front().find("\"instances_left_out\":300,"), std::string::npos)
      << "ten that were not kept, and those that are not written";
  EXPECT_EQ(of_kind(lines, "cell").size(), 2U);
  EXPECT_EQ(lines.back(), "{\"line\":\"end\"}");
}

TEST_F(RankFile, SizesStandByCallAndMeaning) {
  const Recorder recorder = recorded();
  std::vector<std::string> expected;
  for (std::size_t call = 0; call < num_calls; ++call) {
    const CallSizes* const sizes = recorder.sizes(static_cast<CallId>(call));
    if (sizes == nullptr) continue;
    for (std::size_t meaning = 0; meaning < sizes->size(); ++meaning) {
      for (std::size_t bucket = 0; bucket < num_size_buckets; ++bucket) {
        const SizeCount& one = (*sizes)[meaning][bucket];
        if (one.count == 0) continue;
        std::ostringstream line;
        line << "{\"line\":\"size\",\"call\":\"" << call_names[call] << "\",\"meaning\":\""
             << size_meaning_names[meaning] << "\",\"from\":" << bucket_begin(bucket)
             << ",\"to\":" << bucket_begin(bucket + 1) << ",\"count\":" << one.count
             << ",\"bytes\":" << one.bytes << ",\"nanoseconds\":" << std::llround(one.nanoseconds) << '}';
        expected.push_back(line.str());
      }
    }
  }
  ASSERT_GE(expected.size(), 4U);
  EXPECT_EQ(of_kind(written(facts_of_rank_one(), recorder, Detail::all), "size"), expected);
}

/// JSON has no other bytes; a string without end would fill the disk.
TEST_F(RankFile, StringsAreWhatJsonTakes) {
  RankFacts facts = facts_of_rank_one();
  facts.ended = "a \"quoted\\\" \n\x01\x7f\xc3\xa9";
  facts.process.fault = std::string(5000, 'f');
  const std::string head = written(facts, recorded(), Detail::totals).front();
  EXPECT_NE(head.find(R"("ended":"a \"quoted\\\" ?????",)"), std::string::npos) << head;
  EXPECT_NE(head.find("\"fault\":\"" + std::string(1024, 'f') + "\""), std::string::npos);
}

/// More than the buffer holds; lines come whole.
TEST_F(RankFile, IsWrittenWholeHoweverLongItIs) {
  Recorder recorder = recorded();
  for (int search = 0; search < 2000; ++search) {
    recorder.regions().set_search(search);
    recorder.add({.call = CallId::recv, .communicator = 0, .entry = 1, .exit = 2}, Traffic());
  }
  const std::vector<std::string> lines = written(facts_of_rank_one(), recorder, Detail::all);
  const std::vector<std::string> cells = of_kind(lines, "cell");
  ASSERT_EQ(cells.size(), recorder.cells().size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    EXPECT_TRUE(cells[i].starts_with("{\"line\":\"cell\",\"index\":" + std::to_string(i) + ",")) << cells[i];
    EXPECT_TRUE(cells[i].ends_with('}')) << cells[i];
  }
  EXPECT_EQ(lines.back(), "{\"line\":\"end\"}");
}

int a_site_to_find() { return 1; }

TEST_F(RankFile, NamesTheFileOfACallAndTheLineOfAPythonProgram) {
  Recorder recorder = recorded();
  recorder.add({.call = CallId::recv,
                .site = reinterpret_cast<const void*>(&a_site_to_find),
                .communicator = 0,
                .entry = 1,
                .exit = 2},
               Traffic());
  const int place = recorder.add_place({.file = "solve.py", .function = "main", .line = 12});
  recorder.add({.call = CallId::recv, .place = place, .communicator = 0, .entry = 1, .exit = 2}, Traffic());
  const std::vector<std::string> cells = of_kind(written(facts_of_rank_one(), recorder, Detail::all), "cell");
  ASSERT_EQ(cells.size(), 4U);
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").filename();
  EXPECT_NE(cells[2].find(",\"offset\":"), std::string::npos) << cells[2];
  EXPECT_NE(cells[2].find(program), std::string::npos) << cells[2];
  EXPECT_TRUE(cells[3].ends_with(",\"row\":12,\"module\":\"solve.py\",\"symbol\":\"main\"}")) << cells[3];
}

TEST_F(RankFile, ThatCannotBeWrittenIsSaid) {
  testing::internal::CaptureStderr();
  write_rank_file(tree_.path("missing/rank"), facts_of_rank_one(), recorded(), Detail::all);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("rank 1 cannot write " + tree_.path("missing/rank.jsonl")), std::string::npos) << said;
  EXPECT_TRUE(std::filesystem::is_empty(tree_.root()));
}

TEST_F(RankFile, ReplacesTheOneBefore) {
  RankFacts facts = facts_of_rank_one();
  facts.ended = "killed";
  EXPECT_NE(written(facts, recorded(), Detail::totals).front().find("\"killed\""), std::string::npos);
  facts.ended = "finalized";
  const std::vector<std::string> lines = written(facts, recorded(), Detail::all);
  EXPECT_EQ(lines.front().find("\"killed\""), std::string::npos);
  EXPECT_EQ(of_kind(lines, "end").size(), 1U);
}

}  // namespace
}  // namespace isobath::profiler
