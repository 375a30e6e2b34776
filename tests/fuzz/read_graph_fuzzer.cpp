// SPDX-License-Identifier: Apache-2.0
// One libFuzzer target for each format: any bytes are read or refused in a sentence.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/threads.hpp"
#include "graphfile/written_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace isobath;
  set_num_threads(1);
  const std::string_view content(reinterpret_cast<const char*>(bytes), size);
  const GraphFormat format = parse_graph_format(ISOBATH_FUZZED_FORMAT);
  test::refusal(format, content, true);
  test::refusal(format, content, false);
  return 0;
}
