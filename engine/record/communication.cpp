// SPDX-License-Identifier: Apache-2.0
#include "record/communication.hpp"

#include "record/fields.hpp"

namespace isobath {
namespace {

using record::Fields;
using record::header;

Fields fields(const Spread& spread) {
  Fields object;
  object.put("min", spread.min).put("mean", spread.mean).put("max", spread.max);
  return object;
}

Fields fields(const CallCellRecord& cell) {
  Fields object;
  object.put("level", cell.level)
      .put("phase", name_of(cell.phase))
      .put("call", cell.call)
      .put("communicator", cell.communicator)
      .put("calls", cell.calls)
      .put("messages", cell.messages)
      .put("bytes_sent", cell.bytes_sent)
      .put("bytes_received", cell.bytes_received)
      .put("off_node_bytes", cell.off_node_bytes)
      .put("kept_bytes", cell.kept_bytes)
      .put("seconds_mean", cell.seconds_mean)
      .put("seconds_max", cell.seconds_max)
      .put("wait_seconds_mean", cell.wait_seconds_mean)
      .put("wait_seconds_max", cell.wait_seconds_max);
  return object;
}

}  // namespace

std::string to_line(const CallsRecord& record, const std::string& run_id) {
  std::vector<Fields> cells;
  for (const CallCellRecord& cell : record.cells) cells.push_back(fields(cell));
  Fields line = header("calls", run_id);
  line.put("kernel", record.kernel).put("search", record.search).put("cells", cells);
  return line.text();
}

std::string to_line(const TrafficMatrixRecord& record, const std::string& run_id) {
  Fields line = header("traffic_matrix", run_id);
  line.put("part", record.part);
  if (record.phase) line.put("phase", name_of(*record.phase));
  line.put("kernel", record.kernel)
      .put("search", record.search)
      .put("level", record.level)
      .put("ranks", record.ranks)
      .put("unit", record.unit)
      .put("bytes", record.bytes)
      .put("messages", record.messages);
  return line.text();
}

std::string to_line(const MessageSizesRecord& record, const std::string& run_id) {
  Fields line = header("message_sizes", run_id);
  line.put("part", record.part)
      .put("call", record.call)
      .put("meaning", record.meaning)
      .put("from_bytes", record.from_bytes)
      .put("to_bytes", record.to_bytes)
      .put("count", record.count)
      .put("bytes", record.bytes)
      .put("seconds", record.seconds);
  return line.text();
}

std::string to_line(const MpiTimeRecord& record, const std::string& run_id) {
  Fields line = header("mpi_time", run_id);
  line.put("part", record.part)
      .put("call", record.call)
      .put("seconds_per_rank", fields(record.seconds_per_rank))
      .put("share_of_mpi", record.share_of_mpi)
      .put("share_of_wall", fields(record.share_of_wall))
      .put("calls", record.calls)
      .put("bytes_sent", record.bytes_sent);
  return line.text();
}

}  // namespace isobath
