# SPDX-License-Identifier: Apache-2.0
"""What tools/make_studies.py changes in sealed studies, and how it seals them again."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from isobath.baseline.chain import digest_of
from isobath.store.folders import MANIFEST, file_digest

LATER_KINDS = frozenset({"calls", "traffic_matrix", "message_sizes", "mpi_time", "round"})
LATER_FIELDS = {
    "run": ("kernel", "paths", "switches", "tasks", "nodes", "node_of_rank",
            "node_map_is_override", "clock_error_seconds", "graph"),
    "construction": ("kernel", "path_plan"),
    "search": ("kernel", "distances", "tree_levels", "seconds_per_rank", "mpi_seconds_per_rank",
               "wait_seconds_per_rank", "clock_error_seconds"),
    "level": ("bytes_received", "calls", "off_node_bytes", "call_seconds", "wait_seconds"),
    "finish": ("validation_copy_seconds",),
}  # fmt: skip
"""What records got after the first Isobath (commit 6683056): each is optional in one of today,
because runs without it lie on people's disks.
"""


def seal_again(study: Path) -> None:
    """Every sealed folder of a study; what was never sealed stays so."""
    for manifest in study.rglob(MANIFEST):
        folder = manifest.parent
        names = sorted(path.name for path in folder.iterdir() if path.name != MANIFEST)
        lines = (f"{file_digest(folder / name)}  {name}\n" for name in names)
        manifest.write_text("".join(lines), encoding="utf-8")


def put_words(study: Path, words: Mapping[str, str]) -> None:
    """Other words instead of those of this machine, in every file."""
    for path in sorted(study.rglob("*")):
        if path.is_file():
            content = path.read_bytes()
            for word, instead in words.items():
                content = content.replace(word.encode(), instead.encode())
            path.write_bytes(content)


def chain_again(study: Path) -> None:
    """Entries of baselines are named by digests of what they hold, which each next one repeats."""
    digests: dict[str, str] = {}
    for path in sorted(study.glob("baselines/*/[0-9]*-*.json")):
        number, _, digest = path.stem.partition("-")
        line = _replaced(path.read_text(encoding="ascii"), digests)
        digests[digest] = digest_of(line)
        path.write_text(line, encoding="ascii")
        path.rename(path.with_name(f"{number}-{digests[digest]}.json"))
    for path in (*study.rglob("baseline.jsonl"), *study.rglob("study.json")):
        path.write_text(_replaced(path.read_text(encoding="utf-8"), digests), encoding="utf-8")


def _replaced(text: str, words: Mapping[str, str]) -> str:
    for word, instead in words.items():
        text = text.replace(word, instead)
    return text


def make_older(study: Path) -> None:
    """The records of a study as the first Isobath wrote them."""
    for path in study.rglob("records.jsonl"):
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        kept = [_older(line) for line in lines if line["kind"] not in LATER_KINDS]
        text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in kept)
        path.write_text(text, encoding="utf-8")


def _older(line: dict[str, Any]) -> dict[str, Any]:
    later = LATER_FIELDS.get(line["kind"], ())
    return {name: value for name, value in line.items() if name not in later}
