# SPDX-License-Identifier: Apache-2.0
"""Fuzz the readers of graphs: python tools/run_fuzzers.py BUILD [SECONDS [FORMAT ...]].

BUILD is a build of the preset fuzz (cmake --preset fuzz -DCMAKE_CXX_COMPILER=clang++-16
-DMPI_CXX_COMPILER=..., cmake --build build/fuzz). Each target runs for SECONDS (600), all at once
at low priority, from the right files of the tests and what it kept before in BUILD/corpus. Prints a
line for each; ends with 1 where one found a file that breaks its reader. Put such files into
tests/data/fuzzing/FORMAT: a test reads them ever after.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

FORMATS = ("mtx", "el", "wel", "sg", "wsg", "packed", "raw")
LARGEST_FILE = 4096
MEMORY_MEGABYTES = 1024


def main(words: list[str]) -> int:
    """Runs the targets side by side; returns the exit code."""
    if not words:
        print(__doc__, file=sys.stderr)
        return 2
    build, seconds = Path(words[0]).absolute(), int(words[1]) if len(words) > 1 else 600
    formats = words[2:] or list(FORMATS)
    corpus = build / "corpus"
    subprocess.run([build / "bin" / "write_seeds", corpus], check=True)
    running = {name: start(build, corpus, name, seconds) for name in formats}
    failures = 0
    for name, process in running.items():
        process.wait()
        text = (build / f"fuzz_{name}.log").read_text(errors="replace")
        runs = re.findall(r"(?m)^Done (\d+) runs|number_of_executed_units: (\d+)", text)
        count = max((int(number) for pair in runs for number in pair if number), default=0)
        words_of_end = "nothing found" if process.returncode == 0 else f"see fuzz_{name}.log"
        print(f"{name:<8}{count:>12} runs in {seconds} s: {words_of_end}", flush=True)
        failures += process.returncode != 0
    return 1 if failures else 0


def start(build: Path, corpus: Path, name: str, seconds: int) -> subprocess.Popen[bytes]:
    """One target, its output in a log, what it finds in BUILD/found."""
    found = build / "found"
    found.mkdir(exist_ok=True)
    command = [
        "nice", "-n", "19", str(build / "bin" / f"fuzz_{name}"), str(corpus / name),
        f"-max_total_time={seconds}", f"-max_len={LARGEST_FILE}", "-print_final_stats=1",
        f"-rss_limit_mb={MEMORY_MEGABYTES}", "-malloc_limit_mb=64", "-timeout=120",
        f"-artifact_prefix={found}/{name}-",
    ]  # fmt: skip
    with (build / f"fuzz_{name}.log").open("wb") as log:
        return subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
