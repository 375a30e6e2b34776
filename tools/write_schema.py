#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes schema/record-<number>.json from the models; ``--check`` only says if it is current."""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from isobath.records.record import SCHEMA  # noqa: E402
from isobath.records.schema import schema_text  # noqa: E402

PATH = ROOT / "schema" / f"record-{SCHEMA}.json"


def main() -> int:
    """Returns 0, or 1 when ``--check`` finds the file out of date."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    if parser.parse_args().check:
        current = PATH.exists() and PATH.read_text(encoding="utf-8") == schema_text()
        if not current:
            print(f"{PATH} is out of date: run tools/write_schema.py", file=sys.stderr)
        return 0 if current else 1
    PATH.parent.mkdir(exist_ok=True)
    PATH.write_text(schema_text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
