# SPDX-License-Identifier: Apache-2.0
"""isobath-edges of the fake MPI: writes made-up edges of the right form.

FAKE_DO=slow leaves its process number in the unfinished file and takes ten minutes.
"""

import os
import struct
import sys
import time

given = dict(zip(sys.argv[1::2], sys.argv[2::2], strict=False))
if "--keys" in sys.argv:
    print("3\n1\n2")
    sys.exit(0)
scale = int(given["--scale"])
count = 16 << scale
n = 1 << scale


def write(name: str, content: bytes) -> None:
    if name == "-":
        sys.stdout.buffer.write(content)
    else:
        with open(name + ".part", "wb") as out:
            out.write(content)
        os.rename(name + ".part", name)


if os.environ.get("FAKE_DO") == "slow":
    if given.get("--output", "-") != "-":
        with open(given["--output"] + ".part", "w") as out:
            out.write(str(os.getpid()))
    else:
        sys.stdout.buffer.write(bytes(16))
        sys.stdout.flush()
    time.sleep(600)
if "--output" in given:
    edges = b"".join(struct.pack("<qq", k % n, k * 7 % n) for k in range(count))
    write(given["--output"], edges)
if "--weights" in given:
    write(given["--weights"], b"".join(struct.pack("<f", k / count) for k in range(count)))
