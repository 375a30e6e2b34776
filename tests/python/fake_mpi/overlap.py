# SPDX-License-Identifier: Apache-2.0
"""isobath-overlap of the fake MPI: rank 0 writes one record for each collective, size and mode.

FAKE_TROUBLE: those of heart.py, launch:N (launch N fails), list (it hangs where it is to list).
"""

import json
import os
import sys
import time
from pathlib import Path

NAMES = ("barrier", "bcast", "allreduce", "alltoall")

HEART = __import__("heart")
"""of this folder; else interpreters of fakes are isolated"""


def main(words: list[str]) -> int:
    if words == ["--list"]:
        if os.environ.get("FAKE_TROUBLE") == "list":
            time.sleep(600)
        print("\n".join(NAMES))
        return 0
    options = dict(zip(words[::2], words[1::2], strict=True))
    HEART.hang_where_asked(options)
    if int(os.environ["FAKE_RANK"]):
        return 0
    record = json.loads(Path(os.environ["FAKE_RECORDS"]).read_text(encoding="utf-8"))["overlap"]
    launch = int(options["--launch"])
    if os.environ.get("FAKE_TROUBLE") == f"launch:{launch}":
        print("isobath: the launch failed, as it was told to", file=sys.stderr)
        return 3
    order = 0
    with Path(options["--record"]).open("w", encoding="utf-8") as out:
        for name in options["--collectives"].split(","):
            for size in map(int, options["--sizes"].split(",")):
                for mode in options["--progress"].split(","):
                    line = record | {
                        "run_id": options["--run-id"],
                        "launch": launch,
                        "collective": name,
                        "size_bytes": size,
                        "progress": mode,
                        "order": order,
                    }
                    order += 1
                    out.write(json.dumps(line) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
