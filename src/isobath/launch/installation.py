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
        return cls(root, Path(os.environ.get("ISOBATH_PREFIX") or root))

    @property
    def state_folder(self) -> Path:
        """What set-up and calibration keep."""
        return self.prefix / ".isobath"

    def state(self) -> dict[str, Any]:
        """What set-up found out about MPI libraries and builds; empty before set-up."""
        try:
            found = json.loads((self.state_folder / "state.json").read_bytes())
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}
