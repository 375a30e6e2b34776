# SPDX-License-Identifier: Apache-2.0
"""A stored run in which one call of one level, of one size, takes so much longer than it did."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from compared.made_studies import seal_again


@dataclass(frozen=True)
class SlowCall:
    """The call, and the seconds that it takes longer in each timed search on every rank."""

    phase: str
    level: int
    call: str
    from_bytes: int
    seconds: float

    def put_into(self, study: Path) -> None:
        """In every record that counts it, so that parts and totals still agree."""
        for path in study.rglob("records.jsonl"):
            lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
            ranks = lines[0]["ranks"]
            timed = [one for one in lines if one["kind"] == "search" and not one["warmup"]]
            for search in timed:
                self._into_search(search)
            for one in lines:
                if one["kind"] == "level":
                    self._into_level(one)
                elif one["kind"] == "calls":
                    self._into_calls(one)
                elif one["kind"] == "message_sizes":
                    self._into_sizes(one, self.seconds * ranks * len(timed))
            path.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
        seal_again(study)

    def _into_search(self, search: dict[str, Any]) -> None:
        for name in ("seconds", "seconds_min", "seconds_mean"):
            search[name] += self.seconds
        for name in ("seconds_per_rank", "mpi_seconds_per_rank"):
            search[name] = [each + self.seconds for each in search[name]]
        search["phases"][self.phase] += self.seconds
        search["teps"] = search["traversed_edges"] / search["seconds"]

    def _into_level(self, level: dict[str, Any]) -> None:
        if level["level"] == self.level:
            level["seconds"] += self.seconds
            level["phases"][self.phase] += self.seconds
            level["call_seconds"][self.phase] += self.seconds

    def _into_calls(self, calls: dict[str, Any]) -> None:
        for cell in calls["cells"]:
            if (cell["level"], cell["phase"], cell["call"]) == (self.level, self.phase, self.call):
                cell["seconds_mean"] += self.seconds
                cell["seconds_max"] += self.seconds

    def _into_sizes(self, sizes: dict[str, Any], total: float) -> None:
        if (sizes["part"], sizes["call"]) == ("search", self.call):
            sizes["seconds"][sizes["from_bytes"].index(self.from_bytes)] += total
