// SPDX-License-Identifier: Apache-2.0
// Where the engine was built without libzstd.
#include <fmt/format.h>

#include "base/error.hpp"
#include "graphfile/byte_source.hpp"

namespace isobath {

std::unique_ptr<ByteSource> open_zstd(std::unique_ptr<InputFile> file) {
  throw EnvironmentError(
      fmt::format("{} is compressed by zstd and this engine was built without libzstd; unzstd it first, or "
                  "install libzstd-dev and run ./isobath setup",
                  file->path()));
}

}  // namespace isobath
