# SPDX-License-Identifier: Apache-2.0
"""isobath-collectives of the fake MPI: rank 0 writes made-up times of every cell that is asked for.

FAKE_TROUBLE: data (one wrong allreduce), data-of:ALGORITHM, data-at:LAUNCH, short (a cell is left
out), crash, crash-of:ALGORITHM, crash-at:LAUNCH, and those of heart.py.
FAKE_SLOWER=COLLECTIVE:FACTOR: that one takes so many times as long.
FAKE_NOISE=COLLECTIVE:DEVIATION: of the logarithms of its launches.
"""

import json
import math
import os
import random
import signal
import sys
from pathlib import Path
from typing import Any

LATENCY = {"barrier": 1e-6, "scatter": 2e-6, "alltoallv": 3e-6, "gather": 9e-6, "allgather": 30e-6}
SAMPLES = (
    "entry_nanoseconds",
    "exit_nanoseconds",
    "timed_from",
    "batch_starts",
    "warm_up_repetitions",
    "invalid",
    "context_switches",
    "stopped_because",
    "data_check",
    "data_check_failure",
)
REDUCTIONS = (
    "reduce",
    "allreduce",
    "reduce_scatter",
    "reduce_scatter_block",
    "scan",
    "exscan",
)
FASTER = ("ring", "4")
"""an algorithm that takes half the time; Open MPI's number of it is that of an allgather"""

HEART = __import__("heart")
"""of this folder; else interpreters of fakes are isolated"""


def main(words: list[str]) -> int:
    if words == ["--own-algorithms"]:
        print("own_ring allgather allgatherv")
        return 0
    options = dict(zip(words[::2], words[1::2], strict=True))
    HEART.hang_where_asked(options)
    rank, ranks = int(os.environ["FAKE_RANK"]), int(os.environ["FAKE_SIZE"])
    trouble = os.environ.get("FAKE_TROUBLE", "")
    if trouble == "crash":
        if rank == 0:
            print("isobath-collectives: there is no collective called nonsense", file=sys.stderr)
        return 2
    if rank:
        return 0
    records = json.loads(Path(os.environ["FAKE_RECORDS"]).read_text(encoding="utf-8"))
    asked = json.loads(Path(options["--cells"]).read_text(encoding="utf-8"))
    cells = asked["cells"] if isinstance(asked, dict) else asked  # with matrices, or without
    launch = int(options["--launch"])
    _, _, fatal = trouble.partition("crash-of:")
    is_wrong = trouble in ("data", f"data-at:{launch}")
    wrong = "allreduce" if is_wrong else trouble.partition("data-of:")[2]
    if fatal and any(forced_algorithm(cell)[1] == fatal for cell in cells):
        os.kill(os.getpid(), signal.SIGSEGV)
    if trouble == f"crash-at:{launch}":
        os.kill(os.getpid(), signal.SIGSEGV)
    limit = int(options.get("--memory-limit", 1 << 60))
    rng = random.Random(f"{launch}-{len(cells)}")
    shared = {"run_id": options["--run-id"], "launch": launch}
    place = list(range(ranks))
    binding = [records["launch"]["binding"][0] | {"rank": n} for n in place]
    head = records["launch"] | shared
    head |= {"ranks": ranks, "binding": binding, "node_of_rank": [0] * ranks, "nodes": 1}
    with Path(options["--record"]).open("w", encoding="utf-8") as out:
        out.write(json.dumps(head) + "\n")
        for order, cell in enumerate(cells):
            if trouble == "short" and order == 0:
                continue
            line = one_cell(records["collective"] | shared, cell, order, ranks, limit, rng)
            if wrong and wrong in (cell["collective"], forced_algorithm(cell)[1]):
                line |= {"data_check": "failed", "data_check_failure": "rank 1 has 3, not 7"}
            out.write(json.dumps(line) + "\n")
    return 0


def forced_algorithm(cell: dict[str, Any]) -> tuple[str, str | None]:
    """Its variable and value: of the cell itself, else of the environment."""
    if isinstance(cell.get("algorithm"), str):
        return "", cell["algorithm"]
    if "algorithm" in cell:
        return cell["algorithm"]["variable"], cell["algorithm"]["value"]
    names = (f"MPIR_CVAR_{cell['collective'].upper()}_INTRA_ALGORITHM",
             f"OMPI_MCA_coll_tuned_{cell['collective']}_algorithm")  # fmt: skip
    return next(((name, os.environ[name]) for name in names if name in os.environ), ("", None))


def one_cell(
    line: dict[str, Any],
    cell: dict[str, Any],
    order: int,
    ranks: int,
    limit: int,
    rng: random.Random,
) -> dict[str, Any]:
    for name in ("algorithm", "algorithm_variable", "operation", "root_rank",
                 "slowest_nanoseconds"):  # fmt: skip
        line.pop(name, None)
    size = cell["size_bytes"]
    variable, forced = forced_algorithm(cell)
    cpus = len(os.sched_getaffinity(0))
    needed = 2 * size * ranks * ranks
    total = size * ranks * ranks
    reduces = cell["collective"] in REDUCTIONS
    line |= {name: value for name, value in cell.items() if name != "algorithm"}
    line |= {
        "datatype": cell.get("datatype", "double" if reduces else "byte"),
        "order": order,
        "ranks": ranks,
        "communicators": 1,
        "call": cell["collective"],
        "bytes_per_rank": size,
        "wire_bytes": size * (ranks - 1),
        "needed_bytes": needed,
        "oversubscribed": ranks > cpus,
        "algorithm_source": "forced" if variable else "own" if forced else "unknown",
        "count_facts": line["count_facts"] | {"total_bytes": total},
    }
    if forced:
        line |= {"algorithm": forced}
    if variable:
        line |= {"algorithm_variable": variable}
    for name in SAMPLES:
        line.pop(name, None)
    if needed > limit:
        return line | {"not_runnable": f"needs {needed} B, has {limit} B"}
    seconds = LATENCY.get(cell["collective"], 5e-6) + 1e-9 * size
    if cell["collective"] == "scatter" and size > 256:
        seconds = 60e-6 + 4e-9 * size  # the trap of the K computer report
    if cell["counts"] != "uniform":
        seconds *= 1.5
    if forced in FASTER:
        seconds *= 0.5
    slower, _, factor = os.environ.get("FAKE_SLOWER", "").partition(":")
    if slower == cell["collective"]:
        seconds *= float(factor)
    noisy, _, deviation = os.environ.get("FAKE_NOISE", "").partition(":")
    scatter = float(deviation) if noisy == cell["collective"] else 0.01
    seconds *= math.exp(rng.gauss(0, scatter))
    starts, ends = [], []
    now = 0
    for _ in range(30):
        starts.append(now)
        now += max(1, round(1e9 * seconds * math.exp(rng.gauss(0, 0.02))))
        ends.append(now)
        now += 1000
    if cell["cadence"] == "streaming":
        line["batch_starts"] = list(range(0, 30, 10))
    return line | {
        "entry_nanoseconds": [starts] * ranks,
        "exit_nanoseconds": [ends] * ranks,
        "timed_from": "first_entry" if cell["arrival"] == "zero" else "last_entry",
        "warm_up_repetitions": 10,
        "invalid": [],
        "context_switches": [],
        "stopped_because": "interval",
        "data_check": "passed",
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
