# SPDX-License-Identifier: Apache-2.0
"""isobath-graph500 of the fake MPI: no graph, but heartbeat, records and exit codes.

FAKE_DO says what goes wrong: "kill:1:9" (rank 1 sends itself signal 9 in the second search),
"kill-launcher" (rank 1 kills mpiexec there),
"stop:1" (rank 1 stops there), "start:1:19" (before any heartbeat, rank 1 sends itself signal 19
once there is a file FAKE_SEEN, and the others wait for it), "hang", "poll" (rank 1 hangs and rank 0
asks for its messages without end), "violations", "slow" (searches take a second), "say:3:words"
(ends with status 3 and that sentence), "exit:42", "leave-shm" (leaves a file in the folder FAKE_SHM
and dies), "linger" (does not end), "write-fails" (the record file cannot be written).
FAKE_DO_SECOND is the same of a launch in the plainest reading, after an official run.
With FAKE_NOTICES=1 rank 0 records a failed call as well.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing and pathlib take a third of the time that a rank takes to begin
    from typing import Any

RANK = int(os.environ.get("FAKE_RANK", "0"))
SIZE = int(os.environ.get("FAKE_SIZE", "1"))
IS_SECOND = {"--official", "--likely-parents"} <= set(sys.argv)
"""in the plainest reading, after an official run"""
DO = os.environ.get("FAKE_DO_SECOND" if IS_SECOND else "FAKE_DO", "").split(":")
SEARCHES = int(os.environ.get("FAKE_SEARCHES", "4"))

Heart = __import__("heart").Heart
"""of this folder; else interpreters of fakes are isolated"""


def options(words: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    name = ""
    for word in words:
        if word.startswith("--"):
            name = word
            found[name] = ""
        else:
            found[name] = word
    return found


def read_file(path: str) -> str:
    with open(path, encoding="utf-8") as source:
        return source.read()


def write_file(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as out:
        out.write(text)


def misbehave(heart: Any, search: int) -> None:
    if search != 1:
        return
    if DO[0] == "kill" and int(DO[1]) == RANK:
        os.kill(os.getpid(), int(DO[2]))
    if DO[0] == "kill-launcher" and RANK == 1:
        os.kill(os.getppid(), signal.SIGKILL)
    if DO[0] == "stop":
        if int(DO[1]) == RANK:
            os.kill(os.getpid(), signal.SIGSTOP)
        heart.beat("reduce", "MPI_Allreduce", search)
        time.sleep(600)
    if DO[0] == "hang":
        while RANK == 0 and SIZE > 1 and not heart.waits(1):
            time.sleep(0.01)  # an interpreter may take seconds to begin
        heart.beat("top_down" if RANK == 0 else "reduce", "" if RANK == 0 else "MPI_Allreduce", 1)
        time.sleep(600)
    if DO[0] == "poll":
        heart.beat("top_down", "" if RANK else "MPI_Testsome", 1)
        while True:
            if RANK == 0:
                heart.beat("top_down", "MPI_Testsome", 1, asks=True)
            time.sleep(0.01)
    if DO[0] == "leave-shm" and RANK == 0:
        name = f"isobath-test-{os.getppid()}"
        write_file(os.path.join(os.environ["FAKE_SHM"], name), "left")
        os.kill(os.getpid(), signal.SIGKILL)


def main() -> int:
    given = options(sys.argv[1:])
    if DO[0] == "say" and RANK == 0:
        print(f"isobath-graph500: rank 0 of {SIZE}: {DO[2]}", file=sys.stderr)
    if DO[0] in ("say", "exit"):
        return int(DO[1])
    if DO[0] == "start":
        while not os.path.exists(os.environ["FAKE_SEEN"]):
            time.sleep(0.01)
        if int(DO[1]) == RANK:
            os.kill(os.getpid(), int(DO[2]))
        time.sleep(600)
    heart = Heart(given["--heartbeat"])
    heart.beat("generate")
    while not all(heart.beats_of(rank) for rank in range(SIZE)):
        time.sleep(0.01)  # MPI_Init: no rank goes on before all are there
    if RANK:
        while not os.path.exists(given["--record"]):  # rank 0 takes longer to start
            time.sleep(0.01)
        return follow(heart)
    return lead(heart, given)


def follow(heart: Any) -> int:
    """A rank that only waits; in the real engine it computes too."""
    for search in range(SEARCHES):
        heart.beat("validate", "MPI_Allreduce", search)
        misbehave(heart, search)
        time.sleep(1.0 if DO[0] == "slow" else 0.05)
        if heart.stop_requested:
            break
    heart.beat("finish")
    return {"violations": 1}.get(DO[0], 3 if heart.stop_requested else 0)


def take_time(heart: Any, search: int, *, is_last: bool) -> None:
    """A slow one does not end by itself: where no key is left it waits to be asked to stop."""
    time.sleep(1.0 if DO[0] == "slow" else 0.05)
    while DO[0] == "slow" and is_last and not heart.stop_requested:
        heart.beat("top_down", "", search)
        time.sleep(0.05)


def asked_for(given: dict[str, str], draws: list[float]) -> tuple[list[int], int]:
    """Roots that are named or drawn, and how many searches."""
    roots = [int(sys.argv[at + 1]) for at, word in enumerate(sys.argv) if word == "--root"]
    vertices = 1 << int(given["--scale"])
    tried = draws[:vertices]  # the engine tries no more
    drawn = list(dict.fromkeys(int(draw * vertices) % vertices for draw in tried))
    return roots or drawn, len(roots) or int(given.get("--keys", "64"))


def lead(heart: Any, given: dict[str, str]) -> int:
    lines = json.loads(read_file(os.environ["FAKE_RECORDS"]))
    rows, cols = (int(n) for n in given.get("--grid", f"1x{SIZE}").split("x"))
    validation = "--no-validation" not in given
    roots, keys = asked_for(given, lines["draws"])
    edges = lines["run"]["edgefactor"] << int(given["--scale"])
    traversed = min(lines["search"]["traversed_edges"], edges - edges // 320)
    out = open(given["--record"], "w", encoding="utf-8", buffering=1)  # noqa: SIM115

    def write(name: str, **changes: object) -> None:
        fields = {**lines[name], "run_id": given["--run-id"], **changes}
        out.write(json.dumps(fields, separators=(",", ":")) + "\n")

    write(
        "run",
        program=os.environ["FAKE_PROGRAM"],
        validation=validation,
        official="--official" in given,
        argv=[*sys.argv, *(["--token", "fake-token"] if "FAKE_TELLS" in os.environ else [])],
        scale=int(given["--scale"]),
        ranks=SIZE,
        plan=given.get("--plan", "hybrid"),
        oversubscribed=SIZE * int(given.get("--threads", "1")) > len(os.sched_getaffinity(0)),
        grid_rows=rows,
        grid_cols=cols,
        threads_per_rank=int(given.get("--threads", "1")),
        keys_requested=keys,
        edges_storage=given.get("--edges", "memory"),
        nodes=1,
        node_of_rank=[0] * SIZE,
    )
    write(
        "checked" if "--official" in given else "construction",
        num_vertices=1 << int(given["--scale"]),
        # so that there are no more keys
        isolated_vertices=max(0, (1 << int(given["--scale"])) - SEARCHES),
        num_edges=edges,
    )
    done = 0
    for search in range(min(SEARCHES, keys, len(roots))):
        heart.beat("top_down", "", search)
        if search == 1 and "FAKE_NOTICES" in os.environ:
            write("failure")
        misbehave(heart, search)
        take_time(heart, search, is_last=search + 1 == len(roots) < min(SEARCHES, keys))
        name = "search" if validation else "unvalidated"
        if DO[0] == "violations" and search == 2 and validation:
            name = "violation"
        sent = 8 if SIZE > 1 else 0
        sends = {"bytes_sent": {"expand": sent}, "messages": {"expand": sent // 8}}
        write("level", search=search, **sends)
        cells = lines["calls"]["cells"][: min(1, sent)]
        write("calls", search=search, cells=[{**cell, "bytes_sent": sent} for cell in cells])
        seconds = [lines[name]["seconds"]] * SIZE
        write(
            name,
            index=search,
            root=roots[search],
            traversed_edges=traversed,
            traversed_edges_with_self_loops=min(65536, edges),
            teps=traversed / lines[name]["seconds"],
            bytes_sent=sent,
            messages=sent // 8,
            seconds_per_rank=seconds,
            mpi_seconds_per_rank=[0.0] * SIZE,
            wait_seconds_per_rank=[0.0] * SIZE,
        )
        done += 1
        if heart.stop_requested:
            break
    stopped = heart.stop_requested
    violations = int(DO[0] == "violations" and validation)
    state = "unfinished" if stopped else "failed" if violations else "complete"
    nothing = [[0] * SIZE] * SIZE
    write("mpi_time")
    write("sizes")
    write("matrix", ranks=SIZE, bytes=nothing, messages=nothing)
    peaks = [lines["finish"]["peak_bytes"]] * SIZE
    write(
        "finish",
        state=state,
        searches_completed=done,
        violations=violations,
        peak_bytes_per_rank=peaks,
        peak_bytes=sum(peaks),
        disclosures=["construction left 12 leaves out", "no warm-up search was made"],
        seconds=lines["finish"]["seconds"] + done * lines["search"]["seconds"],
    )
    heart.beat("finish")
    if "--official-reference" not in given:  # isobath-search
        told = [f"{roots[search]:>20}    bfs 0.001 6.5e7\n" for search in range(done)]
        print("root kernel seconds TEPS\n", *told, sep="", end="", flush=True)
    elif not stopped and not violations:
        block = f"SCALE:                          {given['--scale']}\n"
        print(block, end="", flush=True)
        for name in ("--official-reference", "--official-spec"):
            write_file(given[name], block)
    if DO[0] == "linger":
        time.sleep(600)
    return 1 if violations else 3 if stopped else 0


if __name__ == "__main__":
    sys.exit(main())
