// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "record/collective.hpp"
#include "record/communication.hpp"
#include "record/overlap.hpp"
#include "record/records.hpp"

namespace isobath {

/// Appends records to a file, each as one line that is handed to the system at once: what was written
/// survives the end of this process, however it comes.
class RecordWriter {
 public:
  /// Opens or creates `path`; earlier lines stay. @throws EnvironmentError where that is not possible
  RecordWriter(const std::string& path, std::string run_id);
  RecordWriter(const RecordWriter&) = delete;
  RecordWriter& operator=(const RecordWriter&) = delete;
  ~RecordWriter();

  const std::string& run_id() const { return run_id_; }

  /// Never inside a timed region. @throws EnvironmentError when the line could not be written whole (then
  /// nothing of it is left in the file), InternalError when a number in it is not finite
  template <class Record>
  void write(const Record& record) {
    append(to_line(record, run_id_));
  }

  /// Waits until the device has everything, so that a full disk that the system noticed late is noticed here.
  /// @throws EnvironmentError
  void flush();

 private:
  void append(std::string line);

  std::string path_;
  std::string run_id_;
  int file_ = -1;
};

/// Writes a whole file under a temporary name beside it and then gives it its own, so that nobody sees half
/// of it. A device or pipe is written directly. @throws EnvironmentError (then the temporary file is gone)
void write_file(const std::string& path, std::string_view text);

}  // namespace isobath
