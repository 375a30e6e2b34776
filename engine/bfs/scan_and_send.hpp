// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace isobath {

/// What a thread does while the frontier's columns are scanned (task A) and messages travel (task B). Exactly
/// one thread of a team communicates.
enum class Duty { scan, communicate, both };

/// One turn of a thread; none waits inside it. Returns false when the thread may leave: it leaves the team at
/// the barrier that ends the region, and never takes a turn again. `tasks` is the thread's view:
///
///     has_failed()       has a thread of the team thrown?
///     is_all_taken()     is there no column that nobody has taken?     once true, always true
///     is_all_scanned()   have those who took columns scanned them?     once true, always true
///     is_crowded()       is so much unsent that nobody should begin to put more?
///     scan_some()        takes a few columns, puts what they propose; nothing where all are taken meanwhile
///     looks_after_scan() is it worth while to communicate between two scans?
///     communicate()      sends and receives what can be without waiting; false where there was nothing
///     wait()             lets others have the processor
///
/// Who may leave when. The room that a scanner waits for is made by the thread that communicates and by no
/// other, so that one must not leave before the last who may wait:
///
///  1. A scanner waits before it takes columns, never after, and only while there are columns to take: a turn
///     that finds all taken leaves, crowded or not. Nobody puts after his last columns, so whoever leaves
///     unsent messages behind adds none.
///  2. Who communicates leaves when all columns are scanned. Then all were taken, and by 1 every scanner
///     leaves at its next turn: none needs room any more. What is unsent goes when the round is closed. (When
///     all are taken would be early enough to end, but what the last columns propose would then lie idle.)
///  3. Until then he communicates in every turn in which he does not scan, and by the same rules so do his
///     like on other ranks, or they close the round and receive there. Messages therefore arrive, room
///     comes, and somebody takes the next columns: the level ends.
///  4. Where a thread throws, all leave at their next turn, before anything else is asked.
///  5. One thread alone (all that OpenMP gave, or all that were asked for) has Duty::both and obeys 1 and 2.
///
/// Columns are taken only where it was not crowded, so unsent messages never exceed what is_crowded() allows
/// by more than what each thread of the team puts in one scan_some().
///
/// No two questions are asked at one instant. That does no harm: a "no" that is old by the time of the answer
/// costs a turn, a "yes" to what is once true for ever is never old, and columns taken from a channel that
/// others crowd meanwhile are counted above. scan_and_send_test.cpp goes through all interleavings.
template <class Tasks>
bool take_turn(Duty duty, Tasks&& tasks) {
  if (tasks.has_failed()) return false;
  if (duty == Duty::scan) {
    if (tasks.is_all_taken()) return false;
    if (tasks.is_crowded()) {
      tasks.wait();
    } else {
      tasks.scan_some();
    }
    return true;
  }
  if (tasks.is_all_scanned()) return false;
  const bool scans = duty == Duty::both && !tasks.is_all_taken() && !tasks.is_crowded();
  if (scans) {
    tasks.scan_some();
    if (tasks.looks_after_scan()) tasks.communicate();
  } else if (!tasks.communicate()) {
    tasks.wait();
  }
  return true;
}

}  // namespace isobath
