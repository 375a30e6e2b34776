# SPDX-License-Identifier: Apache-2.0
"""Taking in a baseline of somebody else: whole or not at all, with what is known of who made it."""

from dataclasses import replace
from pathlib import Path

from isobath.baseline.chain import Baseline, BaselineFolder, BaselineShelf
from isobath.baseline.entries import shows_as_it_is
from isobath.baseline.lines import NOT_SHOWN
from isobath.baseline.portable import read_portable
from isobath.baseline.provenance import OURS, Provenance, Vouching
from isobath.baseline.signature import checked, unsigned_words
from isobath.errors import EnvironmentProblem

__all__ = ["OURS", "checked_again", "import_file", "origin_of"]


def import_file(
    shelf: BaselineShelf, path: Path, name: str | None, signers: Path | None
) -> Baseline:
    """Args: name takes the place of the one in the file; signers is whom the reader trusts.

    Raises: EnvironmentProblem where the file is not whole or its signature is wrong, UsageError
        where another baseline has that name.
    """
    portable = read_portable(path)
    coming = portable.baseline
    if not all(map(shows_as_it_is, coming.lines)):
        raise EnvironmentProblem(NOT_SHOWN.format(what=path))
    signatures = tuple(checked(coming, signature, signers) for signature in portable.signatures)
    vouching = Vouching(unsigned_words(coming), signatures, has_list=signers is not None)
    return shelf.place(name or coming.archive.name).take_in(coming.lines, vouching)


def origin_of(folder: BaselineFolder) -> str:
    """Whose its entries are, as it was found when they were imported."""
    return folder.origin


def checked_again(baseline: Baseline, signers: Path) -> Provenance:
    """Whose its entries are by another list of signers; nothing is kept.

    Raises: as ``checked``.
    """
    known = baseline.provenance.up_to(len(baseline.lines))  # an import may have been cut off
    signatures = tuple(checked(baseline, signature, signers) for signature in known.signatures)
    return replace(known, signatures=signatures)
