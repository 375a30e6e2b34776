#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the schemas of records, findings, comparisons and baselines from the models; ``--check``
only says whether they are current.
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from isobath.baseline import history_model  # noqa: E402
from isobath.compared import factor_model  # noqa: E402
from isobath.compared import model as comparison_model  # noqa: E402
from isobath.kinds import findings_schema  # noqa: E402
from isobath.predicted import advising  # noqa: E402
from isobath.predicted import model as prediction_model  # noqa: E402
from isobath.records import schema as records_schema  # noqa: E402
from isobath.records.record import SCHEMA  # noqa: E402
from isobath.reproduce import answer as reproduction  # noqa: E402
from isobath.study.findings import FINDINGS_SCHEMA  # noqa: E402

TEXTS = {
    ROOT / "schema" / f"record-{SCHEMA}.json": records_schema.schema_text,
    ROOT / "schema" / f"findings-{FINDINGS_SCHEMA}.json": findings_schema.schema_text,
    ROOT / "schema" / f"comparison-{comparison_model.COMPARISON_SCHEMA}.json": (
        comparison_model.schema_text
    ),
    ROOT / "schema" / f"prediction-{prediction_model.PREDICTION_SCHEMA}.json": (
        prediction_model.schema_text
    ),
    ROOT / "schema" / f"advice-{advising.ADVICE_SCHEMA}.json": advising.schema_text,
    ROOT / "schema" / f"reproduction-{reproduction.REPRODUCTION_SCHEMA}.json": (
        reproduction.schema_text
    ),
    ROOT / "schema" / f"baseline-{history_model.BASELINE_SCHEMA}.json": (
        history_model.baseline_schema_text
    ),
    ROOT / "schema" / f"history-{history_model.HISTORY_SCHEMA}.json": (
        history_model.history_schema_text
    ),
    ROOT / "schema" / f"factors-{factor_model.FACTORS_SCHEMA}.json": factor_model.schema_text,
}


def main() -> int:
    """Returns 0, or 1 when ``--check`` finds a file out of date."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    only_look = parser.parse_args().check
    old = [
        path
        for path, text in TEXTS.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text()
    ]
    for path in old:
        if only_look:
            print(f"{path} is out of date: run tools/write_schema.py", file=sys.stderr)
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(TEXTS[path](), encoding="utf-8")
    return 1 if only_look and old else 0


if __name__ == "__main__":
    sys.exit(main())
