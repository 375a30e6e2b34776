# SPDX-License-Identifier: Apache-2.0
"""Whose an entry is: a signature says the entries up to one of them, and no others."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from baseline.made_baselines import made, read
from isobath.baseline.accepting import accept
from isobath.baseline.chain import Baseline, BaselineFolder, BaselineShelf
from isobath.baseline.importing import OURS, checked_again, import_file, origin_of
from isobath.baseline.portable import read_portable, text_of, write_portable
from isobath.baseline.provenance import FILE, Provenance, Signature, Vouching, read_provenance
from isobath.baseline.signature import for_export, how_signed, signed
from isobath.errors import EnvironmentProblem
from needs import program_of

UNSIGNED = "unsigned, claims to be from somebody, somewhere"


class Centre:
    """Somebody with a key, a baseline of two entries, and a list that has the key."""

    def __init__(self, folder: Path, name: str = "centre") -> None:
        self.key, self.signers = folder / f"{name}-key", folder / f"{name}-signers"
        subprocess.run(
            [program_of("ssh"), "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(self.key)],
            check=True,
        )
        public = self.key.with_suffix(".pub").read_text(encoding="ascii")
        self.signers.write_text(f"{name}@example.org {public}", encoding="ascii")
        self.store, self.file = folder / name, folder / f"{name}-file"
        made(self.store)
        write_portable(self.file, text_of(self.baseline, [signed(self.baseline, self.key)]))

    @property
    def baseline(self) -> Baseline:
        return read(self.store)


@pytest.fixture
def centre(tmp_path: Path) -> Centre:
    return Centre(tmp_path)


def forged(centre: Centre, tmp_path: Path, signatures: tuple[Signature, ...] = ()) -> Path:
    """The centre's entries, and an acceptance that is not the centre's."""
    folder = made(tmp_path / "forger")
    accept(folder, "bcast", "nobody will notice", "the centre")
    path = tmp_path / "forged"
    write_portable(path, text_of(folder.read(), signatures))
    return path


def here(tmp_path: Path) -> BaselineShelf:
    return BaselineShelf(tmp_path / "here")


def words(folder: BaselineFolder) -> list[tuple[int, int, str]]:
    baseline = folder.read()
    return [
        (first, last, told.partition(" (")[0])
        for first, last, told in baseline.provenance.ranges(len(baseline.lines))
    ]


def test_a_signed_beginning_vouches_for_no_entry_that_was_there_before_it(
    centre: Centre, tmp_path: Path
) -> None:
    import_file(here(tmp_path), forged(centre, tmp_path), None, centre.signers)
    kept = import_file(here(tmp_path), centre.file, None, centre.signers)

    assert len(kept.entries) == 3
    assert words(here(tmp_path).find("mpi")) == [
        (0, 1, "signed by centre@example.org"), (2, 2, UNSIGNED),
    ]  # fmt: skip
    assert [kept.provenance.is_vouched(entry) for entry in range(3)] == [True, True, False]
    told = origin_of(here(tmp_path).find("mpi"))
    assert told.startswith("entries 0 to 1 signed by centre@example.org (ED25519 SHA256:")
    assert told.endswith(f"; entry 2 {UNSIGNED}")


def test_a_signature_of_some_entries_in_a_file_vouches_for_these_alone(
    centre: Centre, tmp_path: Path
) -> None:
    signature = signed(centre.baseline, centre.key)

    import_file(here(tmp_path), forged(centre, tmp_path, (signature,)), None, centre.signers)

    assert words(here(tmp_path).find("mpi"))[1] == (2, 2, UNSIGNED)
    longer = replace(signature, entries=3)
    with pytest.raises(EnvironmentProblem, match="its signature is not one of this content"):
        import_file(here(tmp_path), forged_again(tmp_path, longer), None, centre.signers)


def forged_again(tmp_path: Path, signature: Signature) -> Path:
    path = tmp_path / "forged-again"
    write_portable(path, text_of(read(tmp_path / "forger"), [signature]))
    return path


def test_what_others_add_to_a_baseline_of_ours_is_theirs(tmp_path: Path) -> None:
    ours = made(tmp_path / "here")
    theirs = made(tmp_path / "theirs")
    accept(theirs, "bcast", "ours is slower, too", "somebody")
    write_portable(tmp_path / "file", text_of(theirs.read()))

    import_file(here(tmp_path), tmp_path / "file", None, None)
    accept(ours, "bcast", "that is our own", "us")

    assert words(ours) == [(0, 1, OURS), (2, 2, UNSIGNED), (3, 3, OURS)]
    import_file(here(tmp_path), tmp_path / "file", None, None)
    assert words(ours) == [(0, 1, OURS), (2, 2, UNSIGNED), (3, 3, OURS)]


def test_a_signature_is_kept_given_on_and_checked_again(centre: Centre, tmp_path: Path) -> None:
    import_file(here(tmp_path), centre.file, None, None)
    folder = here(tmp_path).find("mpi")
    assert "which nothing here vouches for" in origin_of(folder)

    baseline = folder.read()
    again = text_of(baseline, for_export(baseline, None))
    assert again == centre.file.read_text(encoding="ascii")
    assert how_signed(baseline, for_export(baseline, None)) == "signed"
    assert checked_again(baseline, centre.signers).words(2).startswith("signed by centre@")
    other = Centre(tmp_path, "other")
    assert f"{other.signers} does not vouch for" in checked_again(baseline, other.signers).words(2)
    import_file(here(tmp_path), centre.file, None, centre.signers)
    assert words(folder) == [(0, 1, "signed by centre@example.org")]
    import_file(here(tmp_path), centre.file, None, None)  # without a list nothing is found anew
    assert words(folder) == [(0, 1, "signed by centre@example.org")]
    import_file(here(tmp_path), centre.file, None, other.signers)
    assert "does not vouch for" in origin_of(folder)


def test_what_was_added_here_goes_beside_the_signature_unsigned_or_signed_by_us(
    centre: Centre, tmp_path: Path
) -> None:
    import_file(here(tmp_path), centre.file, None, centre.signers)
    folder = here(tmp_path).find("mpi")
    accept(folder, "bcast", "that is our own", "us")
    baseline = folder.read()
    us = Centre(tmp_path, "us")

    kept = for_export(baseline, None)
    assert how_signed(baseline, kept) == (
        "signed are the first 2 of 3 entries, what came later is unsigned"
    )
    write_portable(tmp_path / "on", text_of(baseline, kept))
    assert [one.entries for one in read_portable(tmp_path / "on").signatures] == [2]
    write_portable(tmp_path / "on", text_of(baseline, for_export(baseline, us.key)))
    there = BaselineShelf(tmp_path / "there")
    import_file(there, tmp_path / "on", None, centre.signers)
    first, second = words(there.find("mpi"))
    assert first == (0, 1, "signed by centre@example.org")
    assert second[2].startswith("signed with the key ED25519")
    both = tmp_path / "both"
    both.write_text(centre.signers.read_text() + us.signers.read_text(), encoding="ascii")
    import_file(there, tmp_path / "on", None, both)
    assert words(there.find("mpi")) == [
        (0, 1, "signed by centre@example.org"), (2, 2, "signed by us@example.org"),
    ]  # fmt: skip


def test_an_entry_that_never_came_leaves_its_place_to_ours(tmp_path: Path) -> None:
    """A kill after it was written whose the entries are, before they were."""
    folder = made(tmp_path / "here")
    whose = Provenance().taking_in(2, 5, Vouching(UNSIGNED, (Signature(5, "x", "signed by x"),)))
    (folder.path / FILE).write_text(whose.text(), encoding="ascii")

    accept(folder, "bcast", "that is our own", "us")

    assert words(folder) == [(0, 2, OURS)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"from":"unsigned, claims to be from x"}', "unsigned, claims to be from x"),
        ('{"from":"signed by x"}', "not known: no signature was kept, import the file again"),
        ("{", "not known: origin.json cannot be read"),
        ("[1]", "not known: origin.json cannot be read"),
        ('{"taken_in":[[0]],"claims":"","signatures":[]}', "not known: origin.json cannot be read"),
        (
            '{"taken_in":[[0,1e999]],"claims":"","signatures":[]}',
            "not known: origin.json cannot be read",
        ),
    ],
)
def test_what_was_noted_before_or_is_damaged_vouches_for_nothing(
    centre: Centre, tmp_path: Path, text: str, told: str
) -> None:
    folder = made(tmp_path / "here")
    (folder.path / FILE).write_text(text, encoding="ascii")

    assert origin_of(folder).startswith(told)
    assert not read_provenance(folder.path).is_vouched(0)
    import_file(here(tmp_path), centre.file, None, centre.signers)
    assert words(folder) == [(0, 1, "signed by centre@example.org")]


def test_a_signature_of_entries_that_did_not_come_any_more_is_not_checked(
    centre: Centre, tmp_path: Path
) -> None:
    """An import that was cut off between whose its entries are and the last of them."""
    folder = made(tmp_path / "here")
    import_file(here(tmp_path), centre.file, None, centre.signers)
    known = read_provenance(folder.path)
    beyond = tuple(replace(one, entries=99) for one in known.signatures)
    (folder.path / FILE).write_text(replace(known, signatures=beyond).text(), encoding="ascii")

    assert checked_again(folder.read(), centre.signers).signatures == ()
