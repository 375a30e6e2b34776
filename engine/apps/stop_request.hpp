// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace isobath {

/// From now on SIGTERM and SIGINT ask the program to stop when it next can. A second signal, half a second or
/// more after the first, ends it at once (launchers may deliver the first one twice).
void catch_stop_signals();

/// True once such a signal has come.
bool stop_signal_came();

}  // namespace isobath
