# SPDX-License-Identifier: Apache-2.0
"""isobath-audit of the fake MPI: expects what the fake engine says that it sent.

FAKE_AUDIT says what goes wrong: "unequal" (a byte more in the second search), "fails", "hangs".
"""

import json
import os
import sys
import time
from pathlib import Path

given = dict(zip(sys.argv[1::2], sys.argv[2::2], strict=True))
assert {"--scale", "--plan", "--grid", "--exchange", "--searches"} <= given.keys()
DO = os.environ.get("FAKE_AUDIT", "")
if DO == "fails":
    print("isobath-audit: it does not like this", file=sys.stderr)
    sys.exit(2)
if DO == "hangs":
    time.sleep(600)
vertices = 1 << int(given["--scale"])
draws = json.loads(Path(os.environ["FAKE_RECORDS"]).read_text(encoding="utf-8"))["draws"]
keys = list(dict.fromkeys(int(draw * vertices) % vertices for draw in draws))
with open(given["--searches"], encoding="utf-8") as source:
    for line in source:
        search = json.loads(line)
        assert search["root"] == keys[search["search"]]
        assert search["directions"] == ["top_down"]
        expected = 0 if given["--grid"] == "1x1" else 8
        expected += DO == "unequal" and search["search"] == 1
        if not expected:
            continue
        found = {"search": search["search"], "level": 0, "phase": "expand", "bytes": expected}
        print(json.dumps({**found, "audit_class": "a", "bytes_of_rank": [expected]}))
