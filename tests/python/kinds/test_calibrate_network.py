# SPDX-License-Identifier: Apache-2.0
"""isobath calibrate network: what cannot be calibrated is refused before anything is measured."""

from pathlib import Path

import pytest

from compared.test_compare_command import Store, store
from isobath.errors import ExitCode

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


def test_without_simgrid_it_says_what_to_install(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    said = store.isobath("calibrate", "network")
    assert said.code == ExitCode.ENVIRONMENT
    assert "apt-get install libsimgrid-dev" in said.err
