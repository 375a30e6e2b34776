# SPDX-License-Identifier: Apache-2.0
"""Taking in a baseline of somebody else: whole or not at all, with what is known of who made it."""

from pathlib import Path

from isobath.baseline.chain import ORIGIN, Baseline, BaselineFolder, BaselineShelf
from isobath.baseline.portable import read_portable
from isobath.baseline.signature import who_made
from isobath.errors import UsageError
from isobath.records import strict_json

OURS = "made here"


def import_file(
    shelf: BaselineShelf, path: Path, name: str | None, signers: Path | None
) -> Baseline:
    """Args: name takes the place of the one in the file; signers is whom the reader trusts.

    Raises: EnvironmentProblem where the file is not whole or its signature is wrong, UsageError
        where another baseline has that name.
    """
    portable = read_portable(path)
    words = who_made(portable.baseline, portable.signature, signers)
    folder = shelf.place(name or portable.baseline.archive.name)
    there = folder.read() if folder.is_there else None
    return folder.take_in(_longer(there, portable.baseline.lines, folder.name), words)


def _longer(there: Baseline | None, coming: tuple[str, ...], name: str) -> tuple[str, ...]:
    """What is here may have gone on since it was exported: then it stays."""
    if there is None or coming[: len(there.lines)] == there.lines:
        return coming
    if there.lines[: len(coming)] == coming:
        return there.lines
    same = there.lines[0] == coming[0]
    why = "both went on differently since" if same else "it was measured another time"
    raise UsageError(
        f"there is another baseline {name} already ({why}); import this one with --name OTHER"
    )


def origin_of(folder: BaselineFolder) -> str:
    """Who vouched for it when it was imported."""
    try:
        found = strict_json.loads((folder.path / ORIGIN).read_bytes())
        return str(found["from"])
    except FileNotFoundError:
        return OURS
    except (OSError, ValueError, KeyError, TypeError):
        return "not known: origin.json cannot be read"
