# SPDX-License-Identifier: Apache-2.0
"""A race in a terminal and on its page: the same sections."""

from io import StringIO
from pathlib import Path

import pytest

from isobath.cli.studies import print_view
from isobath.cli.terminal import console_into
from isobath.kinds.race.kind import KIND, RaceFound
from studies.stored import studies


def race_of(name: str, prefix: Path) -> RaceFound:
    return KIND.read(studies()[name].lay_out(prefix / "checkout"))


def printed(found: RaceFound, view: str) -> str:
    out = StringIO()
    print_view(KIND, found, view, console_into(out))
    return out.getvalue()


@pytest.mark.parametrize("view", KIND.views)
def test_every_view_fits_80_columns_and_begins_with_what_must_be_known(
    view: str, tmp_path: Path
) -> None:
    said = printed(race_of("race-whole", tmp_path), view)

    assert said.startswith("NOT OFFICIAL: a comparison from 2 keys")
    assert max(map(len, said.splitlines())) <= 80


def test_what_a_factor_changes_and_what_a_rank_sends_is_on_both(tmp_path: Path) -> None:
    found = race_of("race-whole", tmp_path)
    said, page = printed(found, "summary"), KIND.html(found, tmp_path / "page.html")

    for words in ("What one factor changes, all else equal", "hybrid vs simple", "280 B", "equal"):
        assert words in said
        assert words in page


def test_what_is_still_to_do_stands_on_top_of_both(tmp_path: Path) -> None:
    found = race_of("race-interrupted", tmp_path)
    said, page = printed(found, "summary"), KIND.html(found, tmp_path / "page.html")

    for text, first in ((said, "Result\n"), (page, "<h2")):
        assert text.index("1 run is still to do.") < text.index(first)
