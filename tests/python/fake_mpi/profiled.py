# SPDX-License-Identifier: Apache-2.0
"""A program of two ranks as the profiler would see it: each writes its file, in which it called
MPI_Allreduce and MPI_Bcast. FAKE_TROUBLE: hangs (before it has written anything), crash.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path


def main() -> int:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # not as Python, which shows where it was
    trouble = os.environ.get("FAKE_TROUBLE", "")
    if trouble == "hangs":
        time.sleep(600)
    rank = int(os.environ["FAKE_RANK"])
    lines = json.loads(Path(os.environ["FAKE_RECORDS"]).read_text(encoding="utf-8"))["profiled"]
    text = "".join(json.dumps(line) + "\n" for line in lines[rank])
    file = Path(os.environ["ISOBATH_PROFILE_DIR"], f"rank-{rank}.jsonl")
    file.write_text(text, encoding="ascii")
    return 4 if trouble == "crash" else 0


if __name__ == "__main__":
    sys.exit(main())
