// SPDX-License-Identifier: Apache-2.0
#include "timing/joint_times.hpp"

#include "base/expects.hpp"

namespace isobath {

std::vector<std::int64_t> joint_times(Cadence cadence, std::span<const std::int64_t> first_entries,
                                      std::span<const std::int64_t> last_exits) {
  ISOBATH_EXPECTS(first_entries.size() == last_exits.size());
  std::vector<std::int64_t> times;
  for (std::size_t i = 0; i < last_exits.size(); ++i) {
    const bool continues = cadence == Cadence::streaming && i > 0;
    times.push_back(last_exits[i] - (continues ? last_exits[i - 1] : first_entries[i]));
  }
  return times;
}

}  // namespace isobath
