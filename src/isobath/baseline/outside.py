# SPDX-License-Identifier: Apache-2.0
"""Settings of an archive that name programs, folders or machines: they decide what runs, so they
are followed only where the archive was made here or somebody vouches for it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from isobath.baseline.chain import Baseline
from isobath.baseline.entries import Archive, Member
from isobath.errors import UsageError
from isobath.settings.declaration import Declaration
from isobath.study.kinds import entry_named
from isobath.study.shelf import printable

NOTHING: tuple[object, ...] = (None, "", [], ())


def outside_settings(member: Member) -> list[tuple[str, str]]:
    """Those of a member with their values, in tables of runs inside it, too."""
    entry = entry_named(member.kind)
    return list(_outside(entry.declaration(), member.settings or {})) if entry is not None else []


def _outside(
    known: Declaration, settings: Mapping[str, Any], *, is_inside: bool = False
) -> Iterator[tuple[str, str]]:
    """Args: is_inside is of a table of a run: its MPI stays, where that of all is replaced by the
    one that is asked for; a library may be a folder with a launcher in it.
    """
    by_name = known.by_name
    for key, value in settings.items():
        setting = by_name.get(key.replace("-", "_"))
        if is_inside and key == "mpi" and "/" in str(value):
            yield key, value_words(value)
            continue
        if setting is not None and (setting.is_outside or setting.is_place):
            if value not in NOTHING:
                yield key, value_words(value)
            continue
        for table in value if isinstance(value, list | tuple) else (value,):
            if isinstance(table, Mapping):
                yield from _outside(known, table, is_inside=True)


def value_words(value: Any) -> str:
    """As a person types it."""
    parts = value if isinstance(value, list | tuple) else (value,)
    return printable(",".join(map(str, parts)))


def outside_words(archive: Archive) -> str:
    """All of them in words; empty where there is none."""
    told = [pair for member in archive.members for pair in outside_settings(member)]
    return ", ".join(dict.fromkeys(f"{name} = {value}" for name, value in told))


def check_followed(baseline: Baseline, members: Sequence[Member]) -> None:
    """Raises: UsageError where members have such settings and nobody vouches for them."""
    told = outside_words(baseline.archive.model_copy(update={"members": tuple(members)}))
    if told and not baseline.provenance.is_vouched(0):
        raise UsageError(
            f"the archive of {baseline.name} names programs, folders or machines ({told}) and is "
            f"{baseline.provenance.whose(0)}: that decides what runs here; look at it (./isobath "
            f"baseline show {baseline.name}) and vouch for it: ./isobath baseline export "
            f"{baseline.name} FILE --sign KEY, ./isobath baseline import FILE --signers FILE"
        )
