# SPDX-License-Identifier: Apache-2.0
"""IMB-MPI1 of the fake MPI: prints what the fake collectives take. FAKE_IMB: slow, silent,
hangs (after its first rows)."""

import os
import sys
from pathlib import Path
from time import sleep

MICROSECONDS = {"Barrier": 1.0}
"""of the fake collectives; of all others 5"""


def main(words: list[str]) -> int:
    if int(os.environ["FAKE_RANK"]) or os.environ.get("FAKE_IMB") == "silent":
        return 0
    options = words.index("-npmin")
    names, ranks = words[:options], int(words[options + 1])
    sizes = Path(words[words.index("-msglen") + 1]).read_text(encoding="utf-8").split()
    factor = 3.0 if os.environ.get("FAKE_IMB") == "slow" else 1.0
    for name in names:
        print(f"\n# Benchmarking {name} \n# #processes = {ranks} \n#bytes #repetitions t_min ...")
        latency = factor * MICROSECONDS.get(name, 5.0)
        for size in ["0"] if name == "Barrier" else sizes:
            time = latency + factor * 1e-3 * int(size)
            counted = [] if name == "Barrier" else [size]
            if os.environ.get("FAKE_IMB") == "hangs" and int(size) > 16:
                sys.stdout.flush()
                sleep(600)
            print(*counted, 1000, f"{0.9 * time:.2f}", f"{time:.2f}", f"{0.95 * time:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
