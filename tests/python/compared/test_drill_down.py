# SPDX-License-Identifier: Apache-2.0
"""compare follows a slower search down to the call and the size that were made slower."""

import json
from pathlib import Path

import pytest

from compared.made_studies import several
from compared.slower_call import SlowCall
from isobath.cli.main import main

NOISE = [1.0, 1.013, 0.991, 1.004, 0.985, 1.02, 0.997, 1.009]
MICROSECOND = 1e-6
CALLS = (
    SlowCall("expand", 1, "allgatherv", 64, 20 * MICROSECOND),
    SlowCall("expand", 2, "allgatherv", 64, 12 * MICROSECOND),
    SlowCall("reduce", 1, "allreduce", 8, 30 * MICROSECOND),
)


@pytest.mark.parametrize("slow", CALLS, ids=lambda one: f"{one.call}-{one.level}")
def test_the_ranking_names_the_call_that_was_made_slower_and_by_how_much(
    slow: SlowCall,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    store = tmp_path / "studies"
    store.mkdir()
    monkeypatch.setenv("ISOBATH_STORE", str(store))
    monkeypatch.setenv("ISOBATH_PREFIX", str(tmp_path))
    before = several(store, "run-whole", "before", NOISE)
    after = several(store, "run-whole", "after", list(reversed(NOISE)), first=1000.0)
    for study in after.split(","):
        slow.put_into(store / study)

    assert main(["compare", before, after, "--json"]) == 0, capfd.readouterr().err
    (against,) = json.loads(capfd.readouterr().out)["against"]
    assert main(["compare", before, after]) == 0
    text = " ".join(capfd.readouterr().out.split())

    search = next(one for one in against["cells"] if one["cell"].startswith("search"))
    assert search["outcome"] == "slower"
    # Parts of one cut stand together, the largest difference first.
    first: dict[str, tuple[str, float]] = {}
    for one in search["parts"]:
        first.setdefault(one["of"], (one["part"], one["more_seconds"]))
    parts = [part for part, _ in first.values()]
    assert parts[0] == slow.phase
    for words in (slow.phase, str(slow.level), slow.call):
        assert words in parts[2]
    assert slow.call in parts[3]
    assert f"{slow.from_bytes} B to " in parts[3]
    assert [more for _, more in first.values()] == pytest.approx([slow.seconds] * 4, rel=0.1)
    steps = (f"phase {slow.phase} +", f"level {slow.level} +", f"call {slow.call} +",
             f"size {slow.from_bytes} B to ")  # fmt: skip
    places = [text.index(step) for step in steps]
    assert places == sorted(places)
