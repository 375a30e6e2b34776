# SPDX-License-Identifier: Apache-2.0
"""Settings from Python are those of files: what cannot be is one sentence, before any launch."""

from typing import Any

import pytest

from cli.conftest import Checkout, checkout
from isobath import api
from isobath.errors import UsageError

__all__ = ["checkout"]


@pytest.fixture(autouse=True)
def nothing_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("isobath.launch.supervised._start", pytest.fail)


@pytest.mark.parametrize(
    ("kind", "wanted", "sentence"),
    [
        ("cg", {"elements": (1,)}, "elements = 1: the least is 2"),
        ("cg", {"iterations": 0}, "iterations = 0: the least is 1"),
        ("cg", {"iteration": 3}, "no setting iteration of bench cg; did you mean iterations?"),
        ("cg", {"ranks": "two"}, "ranks = two is not a number"),
        ("cg", {"progress": ["ofload"]}, "progress = ofload: did you mean offload?"),
        ("overlap", {"sizes": (4,)}, "sizes = 4: the least is 8"),
        ("overlap", {"hosts": ["one"]}, "hosts = ['one']: this setting takes a text"),
        ("overlap", {"launches": 0}, "launches = 0: the least is 1"),
        ("collectives", {"launches": -1}, "launches = -1: the least is 1"),
        ("collectives", {"forms": "blockings"}, "forms = blockings: did you mean blocking?"),
        ("collectives", {"half_width": 0.0}, "half_width = 0.0: it must be greater than 0"),
        ("collectives", {"report": False}, "report is of the command alone"),
        ("collective", {}, "there is no benchmark collective; there are replay, coll"),
    ],
)
def test_what_a_benchmark_cannot_be_is_a_sentence(
    checkout: Checkout, kind: Any, wanted: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(UsageError) as caught:
        api.bench(kind, **wanted)

    assert sentence in str(caught.value)
    assert not (checkout.prefix / "studies").exists()


@pytest.mark.parametrize("names", ["fake", ["fake"], ("fake",)])
def test_a_library_is_named_by_a_text_or_a_list(
    checkout: Checkout, names: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[Any] = []
    monkeypatch.setattr(
        "isobath.api.measure._done", lambda _kind, planned, *_: begun.append(planned)
    )

    api.bench("collectives", collectives="barrier", mpi=names, ranks=2, launches=1)
    api.bench("cg", elements=8, mpi=names, petsc=False, profile=False)

    assert [one.settings["mpi"] for one in begun] == [["fake"], ["fake"]]
