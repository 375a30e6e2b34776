# SPDX-License-Identifier: Apache-2.0
"""Where this checkout, its builds and its state are."""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import isobath


@dataclass(frozen=True)
class Installation:
    """One checkout. ``root`` is the source tree, ``prefix`` holds what set-up wrote."""

    root: Path
    prefix: Path

    @classmethod
    def here(cls) -> "Installation":
        """The checkout that this package is part of; ISOBATH_PREFIX as for ./isobath."""
        root = Path(isobath.__file__).resolve().parents[2]
        usual = root if _is_checkout(root) else Path.cwd()
        return cls(root, Path(os.environ.get("ISOBATH_PREFIX") or usual))

    @property
    def is_checkout(self) -> bool:
        """Whether the sources of the engine are there; pip installs the laboratory alone."""
        return _is_checkout(self.root)

    @property
    def words_without_engine(self) -> str:
        """What an installation by pip is, and what it lacks."""
        return (
            "this is Isobath as pip installs it, without its engine: it reads, shows and reports "
            "studies; to measure, get the sources and start their ./isobath, which sets up the rest"
        )

    @property
    def state_folder(self) -> Path:
        """What set-up and calibration keep."""
        return self.prefix / ".isobath"

    def state(self) -> dict[str, Any]:
        """What set-up found out about MPI libraries and builds; empty before set-up."""
        try:
            kept = json.loads((self.state_folder / "state.json").read_bytes())
        except (OSError, ValueError, RecursionError):
            return {}
        return _moved_here(kept, str(self.prefix)) if isinstance(kept, dict) else {}


def _is_checkout(root: Path) -> bool:
    return (root / "CMakeLists.txt").is_file() and (root / "isobath").is_file()


def _moved_here(state: dict[str, Any], prefix: str) -> dict[str, Any]:
    """The state of a checkout that was moved or copied, with paths that lead here; set-up does the
    same (tools/bootstrap_workspace.py), and nothing of the old place is ever started.
    """
    old = str(state.get("prefix") or _old_prefix(state))
    moved: dict[str, Any] = _with_paths(state, old, prefix) if old not in ("", prefix) else state
    return moved


def _old_prefix(state: dict[str, Any]) -> str:
    """Of a state that does not tell: builds are in PREFIX/build."""
    for entry in state.get("mpi", {}).values():
        folder = Path(entry.get("build_dir") or entry.get("test_build_dir") or "")
        if folder.parent.name == "build":
            return str(folder.parent.parent)
    return ""


def _with_paths(value: Any, old: str, new: str) -> Any:
    if isinstance(value, dict):
        return {name: _with_paths(inner, old, new) for name, inner in value.items()}
    if isinstance(value, list):
        return [_with_paths(inner, old, new) for inner in value]
    if isinstance(value, str) and (value == old or value.startswith(old + "/")):
        return new + value[len(old) :]
    return value
