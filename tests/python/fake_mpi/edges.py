# SPDX-License-Identifier: Apache-2.0
"""isobath-edges of the fake MPI: writes made-up edges of the right form."""

import struct
import sys

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
        with open(name, "wb") as out:
            out.write(content)


if "--output" in given:
    edges = b"".join(struct.pack("<qq", k % n, k * 7 % n) for k in range(count))
    write(given["--output"], edges)
if "--weights" in given:
    write(given["--weights"], b"".join(struct.pack("<f", k / count) for k in range(count)))
