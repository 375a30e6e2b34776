// SPDX-License-Identifier: Apache-2.0
#include <zlib.h>

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "graphfile/byte_source.hpp"

namespace isobath {
namespace {

/// One gzip member after the other, as gunzip takes them.
class GzipSource final : public ByteSource {
 public:
  explicit GzipSource(std::unique_ptr<InputFile> file) : file_(std::move(file)) {
    constexpr int gzip_window = 15 + 16;  // largest window; 16: gzip, not zlib
    if (inflateInit2(&stream_, gzip_window) != Z_OK) {
      throw EnvironmentError("the system refused memory for gzip; free some, or gunzip the file first");
    }
  }
  ~GzipSource() override { inflateEnd(&stream_); }

  std::size_t read(std::span<std::byte> bytes) override {
    std::size_t done = 0;
    while (done < bytes.size() && !is_over_) {
      if (stream_.avail_in == 0) refill();
      if (is_over_) break;
      const std::size_t room = std::min<std::size_t>(bytes.size() - done, 1U << 30);
      stream_.next_out = reinterpret_cast<Bytef*>(bytes.data() + done);
      stream_.avail_out = static_cast<uInt>(room);
      const int result = inflate(&stream_, Z_NO_FLUSH);
      done += room - stream_.avail_out;
      if (result == Z_STREAM_END) {
        is_between_members_ = true;
        inflateReset(&stream_);
      } else if (result == Z_OK) {
        is_between_members_ = false;
      } else if (result !=
                 Z_BUF_ERROR) {  // style: vocabulary because zlib calls it so; nothing could be done yet
        fail(stream_.msg != nullptr ? stream_.msg : "no gzip");
      }
    }
    return done;
  }

 private:
  void refill() {
    const std::size_t got = file_->read_some(offset_, compressed_);
    offset_ += static_cast<std::int64_t>(got);
    stream_.next_in = reinterpret_cast<Bytef*>(compressed_.data());
    stream_.avail_in = static_cast<uInt>(got);
    if (got > 0) return;
    if (!is_between_members_) fail("it ends early");
    is_over_ = true;
  }

  [[noreturn]] void fail(const char* what) const {
    throw EnvironmentError(
        fmt::format("the gzip compression of {} is damaged near its byte {} ({}); copy or "
                    "download it again",
                    file_->path(), offset_ - stream_.avail_in, what));
  }

  std::unique_ptr<InputFile> file_;
  std::int64_t offset_ = 0;  // of what is read next
  z_stream stream_{};
  bool is_between_members_ = false;
  bool is_over_ = false;
  std::array<std::byte, 1 << 16> compressed_;
};

}  // namespace

std::unique_ptr<ByteSource> open_gzip(std::unique_ptr<InputFile> file) {
  return std::make_unique<GzipSource>(std::move(file));
}

}  // namespace isobath
