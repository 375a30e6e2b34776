# SPDX-License-Identifier: Apache-2.0
"""isobath-skeleton-smpi without SimGrid: every step takes a millisecond.

FAKE_TROUBLE: hangs (before it has written anything), crash.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path

SECONDS = 1e-3


def main(words: list[str]) -> int:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # not as Python, which shows where it was
    trouble = os.environ.get("FAKE_TROUBLE", "")
    if trouble == "hangs":
        time.sleep(600)
    schedule = Path(words[0]).read_text(encoding="utf-8")
    run_id, ranks = (words[words.index(name) + 1] for name in ("--run-id", "--ranks"))
    heads = [line.split() for line in schedule.splitlines() if line.startswith("step")]
    for number, (_, level, phase, call, communicator, *_) in enumerate(heads):
        record = {
            "schema": 1, "kind": "skeleton", "run_id": run_id, "origin": "simulated",
            "ranks": int(ranks), "step": number, "level": int(level), "phase": phase,
            "call": call, "communicator": communicator, "calls": 4, "messages": 4,
            "bytes_sent": 64, "seconds_mean": SECONDS / 2, "seconds_max": SECONDS,
            "ended_seconds": SECONDS * (number + 1),
        }  # fmt: skip
        print(json.dumps(record))
    return 4 if trouble == "crash" else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
