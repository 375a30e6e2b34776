# SPDX-License-Identifier: Apache-2.0
"""isobath calibrate network: what cannot be calibrated is refused before anything is measured."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from compared.test_compare_command import Store, store
from isobath.errors import ExitCode
from isobath.kinds.simulate import calibrating
from isobath.launch.interrupts import NeverStop
from isobath.launch.simgrid import SimGrid
from isobath.records.placement import HERE
from isobath.simulation.platform import Platform, read_platform
from isobath.simulation.sweep import PLACES, Curves, Place
from simulation.made_networks import burst, burst_gap, curves_of, waited, waited_work

__all__ = ["store"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--transport", "rate-limited:1gbit:3nodes"), "has 3 nodes; a network is calibrated"),
        (("--transport", "tcp"), "has 1 node; a network is calibrated"),
        (("--transport", "pigeons"), "choose shared-memory, tcp"),
        (("--largest", "100"), "--largest 100 is no size for a sweep"),
        (("--largest", "5000"), "none of the sizes of a sweep, powers of two and one and a half"),
        (
            ("--largest", "65536", "--transport", "rate-limited:1gbit:2nodes"),
            "do not tell the rate of a link; with --transport take 262144 at least",
        ),
        (("--passes", "0"), "--passes 0: take at least 1"),
        (("--apart",), "--apart is of ranks on nodes of their own; name two by --transport"),
    ],
)
def test_what_cannot_be_calibrated_is_refused(
    store: Store, tmp_path: Path, words: tuple[str, ...], sentence: str
) -> None:
    file = tmp_path / "network.toml"
    said = store.isobath("calibrate", "network", *words, "-o", str(file))
    assert said.code == ExitCode.USAGE
    assert sentence in " ".join(said.err.split())
    assert not file.exists()


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("network", "a platform is a file that ends in .toml"),
        (".toml", "a platform is a file that ends in .toml"),
        ("none/network.toml", "make it first"),
    ],
)
def test_where_nothing_can_be_written_nothing_is_measured(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, sentence: str
) -> None:
    monkeypatch.setattr(calibrating, "calibrate", lambda *_: pytest.fail("it was measured"))

    said = store.isobath("calibrate", "network", "-o", str(tmp_path / name))

    assert said.code == ExitCode.USAGE
    assert sentence in " ".join(said.err.split())
    assert list(tmp_path.glob("*.toml")) == []


@pytest.mark.parametrize("transport", [None, "rate-limited:1gbit:2nodes"])
def test_what_is_simulated_again_is_what_the_file_tells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, transport: str | None
) -> None:
    """Made-up sweeps in the place of measured and simulated ones."""
    curves = {HERE: curves_of(waited, gap=waited_work), "apart": curves_of(burst, gap=burst_gap)}
    places = dict(zip(PLACES, curves, strict=True))
    if transport is None:
        del places["between nodes"]
    simulated: list[Platform] = []

    def again(_: object, place: Place, platform: Platform, *others: object) -> Curves:
        simulated.append(platform)
        return curves[places[place]]

    library = SimpleNamespace(id="made", version="1")
    monkeypatch.setattr(calibrating, "_placements", lambda _: places)
    monkeypatch.setattr(calibrating, "find_simgrid", lambda: SimGrid("3.32", "", Path("/k")))
    monkeypatch.setattr(calibrating, "choose_library", lambda *_: library)
    monkeypatch.setattr(calibrating, "_measured", lambda _, placement, *others: curves[placement])
    monkeypatch.setattr(calibrating, "simulated_curves", again)

    calibrated = calibrating.calibrate(calibrating.Wanted(transport), NeverStop(), lambda _: None)
    file = tmp_path / "calibrated.toml"
    calibrating.write_platform(calibrated, file)

    assert simulated == [read_platform(file)] * len(places)
    assert calibrated.platform == simulated[0]


def test_without_simgrid_it_says_what_to_install(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    said = store.isobath("calibrate", "network")
    assert said.code == ExitCode.ENVIRONMENT
    assert "apt-get install libsimgrid-dev" in said.err
