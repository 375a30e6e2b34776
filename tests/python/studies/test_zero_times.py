# SPDX-License-Identifier: Apache-2.0
"""Pages and views of studies in which every time, rate and count of bytes is zero.

A clock that is too coarse, a rank without work and a library that sends nothing give zeros, and
records may hold them. Nothing may divide by them: a page without a number is better than none.
"""

import contextlib
import hashlib
import json
import re
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from isobath.cli.studies import print_view
from isobath.cli.terminal import console_into
from isobath.errors import UsageError
from isobath.records.codec import RecordError, decode
from isobath.store.folders import MANIFEST
from isobath.study.shelf import Shelf
from kind_table import TRIED, whole
from studies.stored import FOLDER, studies, the_folder

MEASURED = {
    "times": re.compile(r"seconds|_rate|latency|waiting"),
    "counts": re.compile(r"bytes|messages|traversed|calls|imbalance"),
    "all": re.compile(r"seconds|_rate|latency|waiting|bytes|messages|traversed|calls|imbalance"),
}
"""Names of what is measured; the values below them are made zero where a record allows it."""

HELD_TO = re.compile(r"(seconds(_min|_mean|_per_rank)?|traversed_edges(_with_self_loops)?)\Z")
"""Of a search and of the end: a rate is edges by seconds, so none of them is zero alone."""

NAMES = {kind: whole(kind) for kind in TRIED} | {"run": "run-both-kernels"}


def zeroed(value: Any, names: re.Pattern[str], *, is_measured: bool = False) -> Any:
    if isinstance(value, dict):
        is_held = value.get("kind") in ("search", "finish")
        return {
            name: one
            if is_held and HELD_TO.match(name)
            else zeroed(one, names, is_measured=is_measured or bool(names.search(name)))
            for name, one in value.items()
        }
    if isinstance(value, list):
        return [zeroed(one, names, is_measured=is_measured) for one in value]
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value * 0 if is_measured and is_number else value


def zeros_of(line: str, names: re.Pattern[str]) -> str:
    """A record with zeros where its schema takes them; what must be positive stays."""
    told = json.loads(line)
    made = zeroed(told, names)
    try:
        decode(json.dumps(made))
    except RecordError as problem:
        cause = problem.__cause__
        assert isinstance(cause, ValidationError)
        for error in cause.errors():
            put_back(made, told, error["loc"][1:])
        decode(json.dumps(made))
    return json.dumps(made)


def put_back(made: Any, told: Any, place: tuple[int | str, ...]) -> None:
    *way, last = place
    for name in way:
        made, told = made[name], told[name]
    made[last] = told[last]


def of_zeros(name: str, prefix: Path, names: re.Pattern[str]) -> Path:
    """A stored study whose sealed records say zero wherever they may."""
    folder = studies()[name].lay_out(prefix)
    for path in sorted(prefix.rglob("records.jsonl")):
        lines = path.read_text(encoding="utf-8").splitlines()
        path.write_text("".join(f"{zeros_of(line, names)}\n" for line in lines), encoding="utf-8")
        manifest = path.with_name(MANIFEST)
        if manifest.is_file():
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            told = re.sub(r"(?m)^\w+(?=  records\.jsonl$)", digest, manifest.read_text("utf-8"))
            manifest.write_text(told, encoding="utf-8")
    return folder


@pytest.mark.parametrize("what", MEASURED)
@pytest.mark.parametrize("kind", NAMES)
def test_no_view_and_no_page_divides_by_zero(kind: str, what: str, tmp_path: Path) -> None:
    folder = of_zeros(NAMES[kind], tmp_path / "checkout", MEASURED[what])
    study = Shelf((folder.parent,)).find(str(folder))
    that = study.entry.load()

    found = that.read(study.path)
    for name in that.views:
        out = StringIO()
        with contextlib.suppress(UsageError):  # a table of IMB without a result is refused
            print_view(that, found, name, console_into(out))
            assert out.getvalue()
    html = that.html(found, tmp_path / "page.html")

    untouched = the_folder(FOLDER / NAMES[kind], kind)
    assert that.problems(found) == that.problems(that.read(untouched))
    assert "</html>" in html
    assert not re.search(r">(nan|inf)\b", html)
    assert that.facts(found)
