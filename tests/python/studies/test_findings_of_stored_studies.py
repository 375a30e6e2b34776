# SPDX-License-Identifier: Apache-2.0
"""What show --json prints of every stored study fits the schema, and its tables are whole."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from isobath.cli.main import main
from isobath.store.folders import PARTIAL
from isobath.study.kinds import entry_of
from kind_table import TRIED, whole
from studies.stored import Study, studies

SCHEMA = Path(__file__).resolve().parents[3] / "schema" / "findings-1.json"
READABLE = [name for name, one in studies().items() if one.kind != "bare"]


@pytest.fixture(scope="module")
def validator() -> Any:
    return jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


class Shown:
    """The command line in a checkout that has one study."""

    def __init__(
        self, study: Study, prefix: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
    ) -> None:
        monkeypatch.setenv("ISOBATH_PREFIX", str(prefix))
        monkeypatch.delenv("ISOBATH_STORE", raising=False)
        monkeypatch.chdir(prefix.parent)
        self.kind = study.kind
        self.study = study.lay_out(prefix).name.removesuffix(PARTIAL)
        self.capfd = capfd

    def show(self, *words: str) -> tuple[int, str, str]:
        self.capfd.readouterr()
        code = main(["show", self.study, *words])
        return code, *self.capfd.readouterr()


@pytest.fixture
def shown(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> Shown:
    return Shown(studies()[request.param], tmp_path / "checkout", monkeypatch, capfd)


@pytest.mark.parametrize("shown", READABLE, indirect=True)
def test_findings_fit_the_schema(shown: Shown, validator: Any) -> None:
    code, out, err = shown.show("--json")

    if not out:
        assert code in (2, 3)  # nothing is there that could be read, or not even a plan
        assert err.startswith("isobath: ")
        return
    found = json.loads(out)
    validator.validate(found)
    assert not validator.is_valid(found | {"colour": "red"})
    assert not validator.is_valid(found | {"schema": 2})
    entry_of(found["kind"]).load().findings.model_validate_json(out)


@pytest.mark.parametrize("shown", [whole(kind) for kind in TRIED], indirect=True)
def test_tables_are_written_as_every_format(shown: Shown, tmp_path: Path) -> None:
    import duckdb

    listed = shown.show("--views")[1]
    tables = entry_of(shown.kind).load().tables
    full = []
    for name in tables:
        assert re.search(rf"(?m)^{name} .*\(table\)$", listed)
        file = tmp_path / f"{name}.parquet"
        code = TRIED[entry_of(shown.kind).name].code
        assert shown.show("--view", name, "--output", str(file))[:2] == (code, "")
        told = json.loads(shown.show("--view", name, "--format", "json")[1])
        rows = list(csv.DictReader(io.StringIO(shown.show("--view", name, "--format", "csv")[1])))
        read = duckdb.connect().read_parquet(str(file))
        stored = [dict(zip(read.columns, row, strict=True)) for row in read.fetchall()]

        assert told == stored
        assert [list(row) for row in rows] == [list(row) for row in told]
        assert [[text_in_csv(one) for one in row.values()] for row in told] == [
            list(row.values()) for row in rows
        ]
        full += [name] if told else []
        if name in entry_of(shown.kind).load().views:
            text = shown.show("--view", name)[1]
            # what is typed for a page is as long as the way to ./isobath
            typed = "report  not written yet: "
            assert all(len(line) <= 80 for line in text.splitlines() if typed not in line)
    assert next(iter(tables)) in full


def text_in_csv(value: object) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


@pytest.mark.parametrize("shown", ["collectives-whole"], indirect=True)
def test_what_is_no_table_is_refused_with_what_there_is(shown: Shown, tmp_path: Path) -> None:
    for words, sentence in (
        (("--format", "csv"), "--format csv is for a table; add --view NAME, of cells, "),
        (("--format", "csv", "--view", "rules"), "the view rules is no table for other programs"),
        (("--format", "csv", "--view", "sells"), "there is no table sells of this; did you mean"),
        (("--format", "cvs"), "--format cvs: did you mean csv?"),
        (("--format", "parquet", "--view", "cells"), "add --output FILE.parquet"),
    ):
        code, out, err = shown.show(*words)
        assert (code, out) == (2, "")
        assert sentence in err
    code, out, err = shown.show("--view", "cells", "-o", str(tmp_path / "none" / "cells.csv"))
    assert (code, out) == (3, "")
    assert "cells.csv: No such file or directory; name another file" in err
    code, out, err = shown.show("--view", "cells", "-o", str(tmp_path / "none" / "cells.parquet"))
    assert (code, out) == (3, "")
    assert "cells.parquet; name another file" in err


@pytest.mark.parametrize("shown", ["race-whole"], indirect=True)
def test_a_file_gets_what_the_screen_would_get(shown: Shown, tmp_path: Path) -> None:
    file = tmp_path / "race.txt"

    assert shown.show("--output", str(file))[:2] == (0, "")
    assert file.read_text(encoding="utf-8") in shown.show()[1]
    file = tmp_path / "race.json"
    assert shown.show("--output", str(file))[:2] == (0, "")
    assert file.read_text(encoding="utf-8") == shown.show("--json")[1]
