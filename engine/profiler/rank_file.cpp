// SPDX-License-Identifier: Apache-2.0
#include "profiler/rank_file.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace isobath::profiler {
namespace {

/// A file that is written through a buffer of its own.
class Output {
 public:
  explicit Output(const char* path) : file_(::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {}
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output() {
    flush();
    if (file_ >= 0) ::close(file_);
  }

  bool is_good() const { return file_ >= 0 && !has_failed_; }

  [[gnu::format(printf, 2, 3)]] void print(const char* format, ...) {
    if (buffer_.size() - used_ < longest_) flush();
    std::va_list arguments;
    va_start(arguments, format);
    const int length = std::vsnprintf(buffer_.data() + used_, longest_, format, arguments);
    va_end(arguments);
    if (length > 0)
      used_ += static_cast<std::size_t>(length) < longest_ ? static_cast<std::size_t>(length) : longest_ - 1;
  }

  /// A JSON string. Bytes that are no plain ASCII become a question mark.
  void string(std::string_view text) {
    print("\"");
    for (const char letter : text.substr(0, 1024)) {
      const auto code = static_cast<unsigned char>(letter);
      if (letter == '"' || letter == '\\') {
        print("\\%c", letter);
      } else {
        print("%c", code < 0x20 || code > 0x7e ? '?' : letter);
      }
    }
    print("\"");
  }

  void flush() {
    std::size_t begin = 0;
    while (begin < used_ && !has_failed_) {
      const ssize_t written = ::write(file_, buffer_.data() + begin, used_ - begin);
      if (written < 0) {
        has_failed_ = true;
      } else {
        begin += static_cast<std::size_t>(written);
      }
    }
    used_ = 0;
  }

 private:
  static constexpr std::size_t longest_ = 512;
  int file_;
  bool has_failed_ = false;
  std::size_t used_ = 0;
  std::array<char, 1 << 16> buffer_;
};

long long number(std::int64_t value) { return static_cast<long long>(value); }

/// What the launcher said of this process, and whether the world is what it started.
void write_process(Output& out, const ProcessFacts& process) {
  out.print("\"task\":%d,\"parent\":%d,\"began\":%lld,\"now\":%lld,\"launched\":%lld,\"job\":", process.task,
            process.parent, number(process.began), number(nanoseconds_since_1970()),
            number(process.launched));
  out.string(process.job);
  out.print(",\"fault\":");
  out.string(process.fault);
  out.print(",\"cure\":");
  out.string(process.cure);
  out.print(",");
}

void write_head(Output& out, const RankFacts& facts, const Recorder& recorder, Detail detail) {
  const auto omitted = detail == Detail::all ? 0 : static_cast<std::int64_t>(recorder.instances().size());
  out.print("{\"line\":\"rank\",\"rank\":%d,\"ranks\":%d,\"pid\":%d,\"nanoseconds\":%lld,\"calls\":%lld,",
            facts.rank, facts.size, facts.process.pid, number(facts.nanoseconds), number(recorder.calls()));
  write_process(out, facts.process);
  out.print(
      "\"scanned\":%lld,\"instances_left_out\":%lld,\"calls_without_cell\":%lld,\"requests_left_out\":%lld,",
      number(recorder.scanned()), number(recorder.instances_left_out() + omitted),
      number(recorder.calls_without_cell()), number(facts.requests_left_out));
  out.print("\"checkpoint_nanoseconds\":%lld,\"python_nanoseconds\":%lld,",
            number(facts.checkpoint_nanoseconds), number(recorder.asked()));
  out.print("\"nanoseconds_per_call\":%.3f,\"nanoseconds_per_count\":%.5f,",
            facts.overhead.nanoseconds_per_call, facts.overhead.nanoseconds_per_count);
  const PeerTraffic outside = recorder.outside();
  out.print("\"outside_sent\":%lld,\"outside_received\":%lld,\"abi\":\"%s\",\"ended\":",
            number(outside.bytes_sent), number(outside.bytes_received), ISOBATH_PROFILER_ABI);
  out.string(facts.ended);
  out.print(",\"host\":");
  out.string(facts.process.host);
  out.print(",\"library\":");
  out.string(std::string_view(facts.library).substr(0, facts.library.find('\n')));
  out.print("}\n");
}

void write_communicators(Output& out, const Recorder& recorder) {
  int index = 0;
  for (const Communicator& communicator : recorder.communicators()) {
    out.print(
        "{\"line\":\"communicator\",\"index\":%d,\"id\":\"%016llx-%d\",\"rank\":%d,\"size\":%d,\"inter\":%s,"
        "\"peers\":[",
        index++, static_cast<unsigned long long>(communicator.hash), communicator.occurrence,
        communicator.rank, communicator.size, communicator.is_inter ? "true" : "false");
    const char* comma = "";
    for (const int peer : communicator.peers) {
      out.print("%s%d", comma, peer);
      comma = ",";
    }
    out.print("]}\n");
  }
}

void write_regions(Output& out, const Recorder& recorder) {
  int index = 0;
  for (const Region& region : recorder.regions().all()) {
    out.print("{\"line\":\"region\",\"index\":%d,\"number\":%d,\"name\":", index++, region.number);
    out.string(region.name);
    out.print("}\n");
  }
}

/// Where a program in Python made a call through mpi4py.
void write_place(Output& out, const PythonPlace& place) {
  out.print(",\"row\":%d,\"module\":", place.line);
  out.string(place.file);
  out.print(",\"symbol\":");
  out.string(place.function);
}

/// Where in which file a call was made; a name where the loader knows one.
void write_site(Output& out, const void* site) {
  Dl_info place{};
  link_map* object = nullptr;
  if (site == nullptr) return;
  if (::dladdr1(site, &place, reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP) == 0) return;
  if (place.dli_fname == nullptr || object == nullptr) return;
  const auto offset =
      reinterpret_cast<std::uintptr_t>(site) - object->l_addr;  // as the file numbers its addresses
  out.print(",\"offset\":%llu,\"module\":", static_cast<unsigned long long>(offset));
  out.string(place.dli_fname);
  if (place.dli_sname == nullptr) return;
  out.print(",\"symbol\":");
  out.string(place.dli_sname);
}

void write_cells(Output& out, const Recorder& recorder) {
  int index = 0;
  for (const Cell& cell : recorder.cells()) {
    const std::string_view name = call_names[static_cast<std::size_t>(cell.call)];
    out.print(
        "{\"line\":\"cell\",\"index\":%d,\"call\":\"%.*s\",\"join\":\"%s\",\"communicator\":%d,\"region\":%"
        "d,\"search\":%d,",
        index++, static_cast<int>(name.size()), name.data(),
        join_names[static_cast<std::size_t>(cell.join)].data(), cell.communicator, cell.region, cell.search);
    out.print(
        "\"calls\":%lld,\"messages\":%lld,\"sent\":%lld,\"received\":%lld,\"kept\":%lld,\"argument\":%lld,",
        number(cell.calls), number(cell.messages), number(cell.bytes_sent), number(cell.bytes_received),
        number(cell.kept_bytes), number(cell.argument_bytes));
    out.print("\"receives_unknown\":%lld,\"nanoseconds\":%lld,\"max_nanoseconds\":%lld",
              number(cell.receives_unknown), number(cell.nanoseconds), number(cell.max_nanoseconds));
    if (cell.place >= 0) {
      write_place(out, recorder.places()[static_cast<std::size_t>(cell.place)]);
    } else {
      write_site(out, cell.site);
    }
    out.print("}\n");
  }
}

void write_threads(Output& out, const Recorder& recorder, std::int64_t now) {
  int index = 0;
  for (const ThreadTotals& thread : recorder.threads()) {
    out.print(
        "{\"line\":\"thread\",\"index\":%d,\"threads\":%d,\"wall\":%lld,\"nanoseconds\":%lld,\"calls\":%lld,"
        "\"sent\":%lld,\"received\":%lld}\n",
        index++, thread.threads, number(thread.wall(now)), number(thread.nanoseconds), number(thread.calls),
        number(thread.bytes_sent), number(thread.bytes_received));
  }
}

void write_sizes(Output& out, const Recorder& recorder) {
  for (std::size_t call = 0; call < num_calls; ++call) {
    const CallSizes* sizes = recorder.sizes(static_cast<CallId>(call));
    if (sizes == nullptr) continue;
    for (std::size_t meaning = 0; meaning < sizes->size(); ++meaning) {
      for (std::size_t bucket = 0; bucket < num_size_buckets; ++bucket) {
        const SizeCount& one = (*sizes)[meaning][bucket];
        if (one.count == 0) continue;
        out.print("{\"line\":\"size\",\"call\":\"%s\",\"meaning\":\"%s\",\"from\":%lld,\"to\":%lld,",
                  call_names[call].data(), size_meaning_names[meaning].data(), number(bucket_begin(bucket)),
                  number(bucket_begin(bucket + 1)));
        out.print("\"count\":%lld,\"bytes\":%lld,\"nanoseconds\":%.0f}\n", number(one.count),
                  number(one.bytes), one.nanoseconds);
      }
    }
  }
}

void write_peers(Output& out, const Recorder& recorder) {
  for (std::size_t part = 0; part < traffic_class_names.size(); ++part) {
    const std::vector<PeerTraffic> peers = recorder.peers(static_cast<TrafficClass>(part));
    for (std::size_t peer = 0; peer < peers.size(); ++peer) {
      const PeerTraffic& one = peers[peer];
      if (one.messages == 0 && one.bytes_received == 0) continue;
      out.print(
          "{\"line\":\"peer\",\"class\":\"%s\",\"peer\":%zu,\"sent\":%lld,\"messages\":%lld,\"received\":%"
          "lld}\n",
          traffic_class_names[part].data(), peer, number(one.bytes_sent), number(one.messages),
          number(one.bytes_received));
    }
  }
}

/// [cell, root, entry, duration, bytes sent, and of all calls so far: number, bytes sent, nanoseconds],
/// several to a line.
void write_instances(Output& out, const Recorder& recorder) {
  constexpr std::size_t per_line = 256;
  const std::vector<Instance>& instances = recorder.instances();
  for (std::size_t begin = 0; begin < instances.size(); begin += per_line) {
    out.print("{\"line\":\"instances\",\"rows\":[");
    for (std::size_t i = begin; i < instances.size() && i < begin + per_line; ++i) {
      const Instance& one = instances[i];
      out.print("%s[%d,%d,%lld,%lld,%lld,%lld,%lld,%lld]", i == begin ? "" : ",", one.cell, one.root,
                number(one.entry), number(one.exit - one.entry), number(one.bytes_sent),
                number(one.all_calls), number(one.all_bytes_sent), number(one.all_nanoseconds));
    }
    out.print("]}\n");
  }
}

}  // namespace

void write_rank_file(const std::string& file, const RankFacts& facts, const Recorder& recorder,
                     Detail detail) {
  std::array<char, 4096> path{};
  std::array<char, 4096> final_path{};
  std::snprintf(path.data(), path.size(), "%s.part", file.c_str());
  std::snprintf(final_path.data(), final_path.size(), "%s.jsonl", file.c_str());
  bool is_good = false;
  {
    Output out(path.data());
    is_good = out.is_good();
    if (is_good) {
      write_head(out, facts, recorder, detail);
      write_communicators(out, recorder);
      write_regions(out, recorder);
      write_cells(out, recorder);
      write_threads(out, recorder, facts.now);
      write_sizes(out, recorder);
      write_peers(out, recorder);
      if (detail == Detail::all) write_instances(out, recorder);
      out.print("{\"line\":\"end\"}\n");
      out.flush();
      is_good = out.is_good();
    }
  }
  if (!is_good || std::rename(path.data(), final_path.data()) != 0) {
    std::fprintf(stderr, "isobath profile: rank %d cannot write %s; its calls are lost: is the disk full?\n",
                 facts.rank, final_path.data());
  }
}

}  // namespace isobath::profiler
