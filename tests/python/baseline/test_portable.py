# SPDX-License-Identifier: Apache-2.0
"""A baseline given to others: it arrives whole or not at all, and who made it is no claim."""

import gzip
import subprocess
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from baseline.made_baselines import archive, file_of, made, read
from isobath.baseline import portable
from isobath.baseline.accepting import accept
from isobath.baseline.chain import BaselineShelf
from isobath.baseline.entries import line_of
from isobath.baseline.importing import import_file, origin_of
from isobath.baseline.portable import read_portable, text_of, write_portable
from isobath.baseline.signature import signed
from isobath.errors import EnvironmentProblem, UsageError
from needs import needs, program_of


def exported(store: Path, file: Path) -> bytes:
    made(store)
    accept(BaselineShelf(store).find("mpi"), "bcast", "why not", "somebody")
    write_portable(file, text_of(read(store)))
    return file.read_bytes()


def test_it_arrives_as_it_was_with_all_that_was_added(tmp_path: Path) -> None:
    exported(tmp_path / "a", tmp_path / "file")

    found = import_file(BaselineShelf(tmp_path / "b"), tmp_path / "file", None, None)

    assert found.entries == read(tmp_path / "b").entries == read(tmp_path / "a").entries
    assert found.accepted[0].reason == "why not"
    place = BaselineShelf(tmp_path / "b").find("mpi")
    assert origin_of(place) == "unsigned, claims to be from somebody, somewhere"
    assert text_of(read(tmp_path / "b")) == (tmp_path / "file").read_text()


def test_every_flipped_byte_is_noticed(tmp_path: Path) -> None:
    raw = exported(tmp_path / "a", tmp_path / "file")
    broken = tmp_path / "broken"

    head = raw.index(b"\n") + 2
    for place in [*range(head), *range(head, len(raw), 29), len(raw) - 1]:
        for flip in (1, 0x20, 0x80):
            changed = bytearray(raw)
            changed[place] ^= flip
            broken.write_bytes(changed)
            with pytest.raises(EnvironmentProblem):
                read_portable(broken)


def test_a_file_that_is_cut_anywhere_is_refused(tmp_path: Path) -> None:
    raw = exported(tmp_path / "a", tmp_path / "file")
    broken = tmp_path / "broken"

    for length in [*range(0, len(raw), 53), len(raw) - 1]:
        broken.write_bytes(raw[:length])
        with pytest.raises(EnvironmentProblem):
            import_file(BaselineShelf(tmp_path / "b"), broken, None, None)
    assert not list((tmp_path / "b").glob("*")) if (tmp_path / "b").exists() else True


def test_a_path_that_leads_out_is_never_followed(tmp_path: Path) -> None:
    evil = archive().model_copy(update={"name": "../../evil"})
    shelf = BaselineShelf(tmp_path / "b" / "baselines")

    with pytest.raises(UsageError, match="is no name of a baseline"):
        import_file(shelf, file_of(tmp_path / "file", line_of(evil)), None, None)
    launches = {"../../evil": next(iter(archive().members[0].launches.values()))}
    member = (
        archive()
        .members[0]
        .model_copy(update={"studies": ("/etc/passwd",), "launches": launches, "cells": ()})
    )
    inside = archive().model_copy(update={"members": (member,)})
    import_file(shelf, file_of(tmp_path / "file", line_of(inside)), None, None)

    assert {path.name for path in tmp_path.rglob("*")} >= {"mpi"}
    assert not list(tmp_path.rglob("*evil*"))


def test_bombs_stay_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = tmp_path / "packed"
    with gzip.open(packed, "wb") as out:
        out.write(b"0" * 10_000_000)
    with zipfile.ZipFile(tmp_path / "zip", "w", zipfile.ZIP_DEFLATED) as folder:
        folder.writestr("../../evil", "0" * 10_000_000)
    deep = "[" * 100_000 + "]" * 100_000
    cases = {
        "packed": "no baseline of Isobath",
        "zip": "no baseline of Isobath",
        "deep": "is damaged: objects or lists are nested",
        "digits": "is damaged",
        "lines": "too large to be a baseline",
    }
    file_of(tmp_path / "deep", line_of(archive()), '{"schema":1,"x":' + deep + "}")
    file_of(tmp_path / "digits", '{"schema":' + "9" * 100_000 + "}")
    (tmp_path / "lines").write_text('{"isobath_baseline":1}' + "\n" * 200_000, encoding="ascii")
    for name, words in cases.items():
        with pytest.raises(EnvironmentProblem, match=words):
            read_portable(tmp_path / name)

    monkeypatch.setattr(portable, "LARGEST", 1000)
    with pytest.raises(EnvironmentProblem, match="too large to be a baseline"):
        read_portable(tmp_path / "lines")


def test_a_later_format_and_other_files_are_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text('{"isobath_baseline":3}\n', encoding="ascii")
    with pytest.raises(EnvironmentProblem, match=r"newer Isobath \(format 3"):
        read_portable(file)
    file.write_text('{"a":2}\n', encoding="ascii")
    with pytest.raises(EnvironmentProblem, match="no baseline of Isobath"):
        read_portable(file)
    with pytest.raises(EnvironmentProblem, match=r"cannot read .*: No such file"):
        read_portable(tmp_path / "none")


def test_a_copy_that_went_on_takes_in_what_came_later(tmp_path: Path) -> None:
    store, there = tmp_path / "a", BaselineShelf(tmp_path / "b")
    exported(store, tmp_path / "early")
    accept(BaselineShelf(store).find("mpi"), "bcast", "still", "somebody")
    write_portable(tmp_path / "late", text_of(read(store)))

    import_file(there, tmp_path / "early", None, None)
    assert len(import_file(there, tmp_path / "late", None, None).accepted) == 2
    assert len(import_file(there, tmp_path / "early", None, None).accepted) == 2

    accept(BaselineShelf(store).find("mpi"), "bcast", "a", "somebody")
    write_portable(tmp_path / "later", text_of(read(store)))
    accept(there.find("mpi"), "bcast", "b", "somebody else")
    with pytest.raises(UsageError, match=r"both went on differently since\); import this one with"):
        import_file(there, tmp_path / "later", None, None)
    assert len(import_file(there, tmp_path / "later", "other", None).accepted) == 3


@needs("ssh")
def test_who_made_it_is_known_by_a_signature_that_somebody_vouches_for(tmp_path: Path) -> None:
    exported(tmp_path / "a", tmp_path / "plain")
    key, other = tmp_path / "key", tmp_path / "other"
    for place in (key, other):
        subprocess.run(
            [program_of("ssh"), "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(place)],
            check=True,
        )
    baseline = read(tmp_path / "a")
    signature = signed(baseline, key)
    write_portable(tmp_path / "file", text_of(baseline, [signature]))
    signers = tmp_path / "signers"

    def says(signed_by: Path | None, name: str) -> str:
        if signed_by is not None:
            public = signed_by.with_suffix(".pub").read_text(encoding="ascii")
            signers.write_text(f"centre@example.org {public}", encoding="ascii")
        shelf = BaselineShelf(tmp_path / "b")
        import_file(shelf, tmp_path / "file", name, signers if signed_by else None)
        return origin_of(shelf.find(name))

    assert says(key, "mine").startswith("signed by centre@example.org (ED25519 SHA256:")
    assert "does not vouch for; claims to be from somebody, somewhere" in says(other, "theirs")
    assert "which nothing here vouches for" in says(None, "nobodys")

    accept(BaselineShelf(tmp_path / "a").find("mpi"), "bcast", "later", "somebody")
    forged = read(tmp_path / "a")
    write_portable(tmp_path / "forged", text_of(forged, [replace(signature, entries=4)]))
    with pytest.raises(EnvironmentProblem, match="its signature is not one of this content"):
        import_file(BaselineShelf(tmp_path / "c"), tmp_path / "forged", None, None)
    with pytest.raises(UsageError, match="signs nothing"):
        signed(baseline, tmp_path / "plain")
