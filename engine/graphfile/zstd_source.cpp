// SPDX-License-Identifier: Apache-2.0
#include <zstd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "graphfile/byte_source.hpp"

namespace isobath {
namespace {

/// A window is memory that a header of a few bytes asks for: 8 MiB, which every decoder shall grant (RFC
/// 8878), or 64 times the file up to the 128 MiB that unzstd grants unasked.
int largest_window_log(std::int64_t file_bytes) {
  const auto bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(file_bytes) * 64));
  return std::clamp(bits, 23, 27);
}

/// One frame after the other, as unzstd takes them.
class ZstdSource final : public ByteSource {
 public:
  explicit ZstdSource(std::unique_ptr<InputFile> file)
      : file_(std::move(file)), stream_(ZSTD_createDStream(), &ZSTD_freeDStream) {
    if (stream_ == nullptr) {
      throw EnvironmentError("the system refused memory for zstd; free some, or unzstd the file first");
    }
    ZSTD_DCtx_setParameter(stream_.get(), ZSTD_d_windowLogMax, largest_window_log(file_->size()));
  }

  std::size_t read(std::span<std::byte> bytes) override {
    ZSTD_outBuffer out{bytes.data(), bytes.size(), 0};
    while (out.pos < out.size && !is_over_) {
      if (in_.pos == in_.size && !has_more_output_) refill();
      if (is_over_) break;
      const std::size_t before = out.pos;
      const std::size_t left = ZSTD_decompressStream(stream_.get(), &out, &in_);
      if (ZSTD_isError(left) != 0) fail(ZSTD_getErrorName(left));
      is_between_frames_ = left == 0;
      has_more_output_ = out.pos == out.size || (out.pos > before && in_.pos == in_.size && left != 0);
    }
    return out.pos;
  }

 private:
  void refill() {
    const std::size_t got = file_->read_some(offset_, compressed_);
    offset_ += static_cast<std::int64_t>(got);
    in_ = {compressed_.data(), got, 0};
    if (got > 0) return;
    if (!is_between_frames_) fail("it ends early");
    is_over_ = true;
  }

  [[noreturn]] void fail(const char* what) const {
    throw EnvironmentError(
        fmt::format("the zstd compression of {} is damaged near its byte {} ({}); copy or "
                    "download it again",
                    file_->path(), offset_ - static_cast<std::int64_t>(in_.size - in_.pos), what));
  }

  std::unique_ptr<InputFile> file_;
  std::int64_t offset_ = 0;  // of what is read next
  std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream_;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  bool is_between_frames_ = true;
  bool has_more_output_ = false;
  bool is_over_ = false;
  std::array<std::byte, 1 << 17> compressed_;
};

}  // namespace

std::unique_ptr<ByteSource> open_zstd(std::unique_ptr<InputFile> file) {
  return std::make_unique<ZstdSource>(std::move(file));
}

}  // namespace isobath
