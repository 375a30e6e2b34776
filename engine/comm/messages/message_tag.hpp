// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace isobath {

/// Tags of messages between pairs of ranks on a communicator's own handle: one per use, so that no use takes
/// another's messages.
enum class MessageTag : int {
  pieces = 1,  // of one operation that is complete when it returns: piece_calls(), large_count_calls()
  count = 2,   // persistent exchange
  parcel = 3,
  sparse_even = 4,  // sparse exchange, every other run
  sparse_odd = 5,
  channel = 6,
  ring_first = 7,  // of a bitmap that travels in two halves
  ring_second = 8,
  mesh_row = 9,  // of a vector on a mesh
  eager = 10,    // a length, with what is short
  eager_long = 11,
};

}  // namespace isobath
