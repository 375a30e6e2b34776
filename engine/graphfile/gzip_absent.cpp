// SPDX-License-Identifier: Apache-2.0
// Where the engine was built without zlib.
#include <fmt/format.h>

#include "base/error.hpp"
#include "graphfile/byte_source.hpp"

namespace isobath {

std::unique_ptr<ByteSource> open_gzip(std::unique_ptr<InputFile> file) {
  throw EnvironmentError(
      fmt::format("{} is compressed by gzip and this engine was built without zlib; gunzip it first, or "
                  "install zlib1g-dev and run ./isobath setup",
                  file->path()));
}

}  // namespace isobath
