# SPDX-License-Identifier: Apache-2.0
"""isobath-krylov of the fake MPI: rank 0 writes made-up times of every cell that is asked for.

Pipelined with its reduction hidden takes 0.8 of plain conjugate gradients, its control arm 1.25.
FAKE_TROUBLE: those of heart.py, data (wrong norms of pipelined), crash, hang (launch 1 interrupts
the process FAKE_LABORATORY and waits).
"""

import itertools
import json
import os
import signal
import sys
import time
from pathlib import Path

RELATIVE = {
    ("cg", "blocking"): 1.0,
    ("single", "blocking"): 0.95,
    ("gropp", "blocking"): 1.1,
    ("pipelined", "blocking"): 1.25,
    ("pipelined", "library"): 0.8,
}

HEART = __import__("heart")
"""of this folder; else interpreters of fakes are isolated"""


def main(words: list[str]) -> int:
    options = dict(zip(words[::2], words[1::2], strict=True))
    HEART.hang_where_asked(options)
    if int(os.environ["FAKE_RANK"]):
        return 0
    records = json.loads(Path(os.environ["FAKE_RECORDS"]).read_text(encoding="utf-8"))
    launch = int(options["--launch"])
    modes = [mode for mode in options["--progress"].split(",") if mode != "none"]
    trouble = os.environ.get("FAKE_TROUBLE", "")
    if trouble == "crash":
        print("isobath: the residual came down to rounding", file=sys.stderr)
        return 2
    workers = int(os.environ["FAKE_SIZE"]) - int(options["--aggregators"])
    order = itertools.count()
    with Path(options["--record"]).open("w", encoding="utf-8") as out:
        for elements in map(int, options["--elements"].split(",")):
            for method in options["--methods"].split(","):
                for mode in ["blocking", *(modes if method in ("gropp", "pipelined") else [])]:
                    line = records["krylov"] | {
                        "run_id": options["--run-id"],
                        "launch": launch,
                        "order": next(order),
                        "elements": elements,
                        "method": method,
                        "progress": mode,
                        "ranks": workers,
                        "oversubscribed": "thread" in mode or mode == "offload",
                    }
                    factor = RELATIVE.get((method, mode), 1.0) * elements * (1 + launch / 1000)
                    times = [int(10_000 * factor), int(10_100 * factor), int(10_200 * factor)]
                    line["solve"] = {"together_nanoseconds": times, "rank_nanoseconds": [times] * 2}
                    if trouble == "data" and method == "pipelined":
                        line |= {"data_check": "failed", "data_check_failure": "2 is not 1"}
                    out.write(json.dumps(line) + "\n")
    if trouble == "hang" and launch == 1:
        os.kill(int(os.environ["FAKE_LABORATORY"]), signal.SIGINT)
        time.sleep(60)
    return 1 if trouble == "data" else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
