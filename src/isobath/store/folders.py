# SPDX-License-Identifier: Apache-2.0
"""Run folders, written under a temporary name, renamed when sealed, never changed afterwards.

A sealed folder holds run.json, records.jsonl, environment.json, stdout.txt, stderr.txt, the
official text where the run got that far, UNVALIDATED.txt where no number may be believed,
plainest.jsonl and plainest-stderr.txt of a second launch (run --official --plainest), and
MANIFEST.sha256, written last. A folder whose name ends in ".partial" belongs to a run that is going
on, or was cut off before it could be sealed.
"""

import contextlib
import hashlib
import json
import os
import shutil
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from isobath.errors import EnvironmentProblem
from isobath.files import force_to_disk, replace_file
from isobath.records import strict_json
from isobath.store.disclosed import clean_folder, cleaner_of_this_process
from isobath.store.lock import LOCK, is_locked, take

if TYPE_CHECKING:  # to list studies nothing of records is needed, and their models take a while
    from isobath.records.codec import AnyRecord
    from isobath.records.ending import FailureRecord
    from isobath.records.run_records import RunRecords
    from isobath.store.run_summary import RunSummary

PARTIAL = ".partial"
MANIFEST = "MANIFEST.sha256"
SUMMARY = "run.json"
UNVALIDATED = "UNVALIDATED.txt"
TRANSIENT = ("status.json", "heartbeat.bin", LOCK)
"""Files of a running run that are not kept. The lock is held by the program that writes the folder,
for as long as it does."""

Change = Literal["missing", "changed", "added", "foreign"]
SENTENCES: dict[Change, str] = {
    "missing": "is missing",
    "changed": "was changed after sealing",
    "added": "was added after sealing",
    "foreign": f"is named in {MANIFEST} but is no name of a file of this folder",
}


@contextlib.contextmanager
def _file_errors(path: Path) -> Iterator[None]:
    """OSError as a sentence with its remedy."""
    try:
        yield
    except OSError as error:
        raise EnvironmentProblem(
            f"cannot write {path}: {error.strerror or error}; earlier runs are untouched: free "
            "space, mend the permissions, or name another folder with --store"
        ) from error


@dataclass(frozen=True)
class RunFolder:
    """A run in the store."""

    path: Path

    @property
    def run_id(self) -> str:
        """The name of the folder."""
        return self.path.name.removesuffix(PARTIAL)

    @property
    def is_sealed(self) -> bool:
        """Whether the run was brought to an end and hashed."""
        return (self.path / MANIFEST).is_file()

    def summary(self) -> "RunSummary":
        """Contents of run.json. Raises: EnvironmentProblem where it is missing or damaged."""
        from isobath.store.run_summary import RunSummary

        path = self.path / SUMMARY
        try:
            text = path.read_bytes()
            strict_json.loads(text)
            return RunSummary.model_validate_json(text)
        except (OSError, ValueError) as error:
            reason = "the run was cut off" if not self.is_sealed else "the file is damaged"
            raise EnvironmentProblem(f"cannot read {path}: {reason}") from error

    def records(self) -> "RunRecords":
        """All records. Raises: EnvironmentProblem where they are missing or damaged."""
        from isobath.records.codec import read_records
        from isobath.records.run_records import RunRecords

        path = self.path / "records.jsonl"
        if self.has_no_record:
            return RunRecords.of(())
        return RunRecords.of(read_records(path, drop_torn_line=not self.is_sealed))

    @property
    def has_no_record(self) -> bool:
        """It goes on, or was cut off, and not one line of a record is there."""
        path = self.path / "records.jsonl"
        is_there = path.is_file() and b"\n" in path.read_bytes()
        return self.path.is_dir() and not self.is_sealed and not is_there

    @property
    def words_of_no_record(self) -> str:
        """What there is to say of such a folder."""
        if self.is_going_on:
            return "it is going on, and has not written its first record yet"
        return "it was cut off before its first record: nothing of it was measured"

    def environment(self) -> dict[str, Any]:
        """Contents of environment.json; empty where there is none."""
        try:
            facts = strict_json.loads((self.path / "environment.json").read_bytes())
        except (OSError, ValueError):
            return {}
        return facts if isinstance(facts, dict) else {}

    def text(self, name: str) -> str:
        """A text file of the folder, empty where there is none."""
        try:
            return (self.path / name).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""

    @property
    def is_going_on(self) -> bool:
        """Whether a program writes it at this moment."""
        return is_locked(self.path)

    def verify(self) -> list[str]:
        """What differs from the manifest, one sentence each; empty when nothing does."""
        if not self.is_sealed:
            return [f"{self.path.name} was never sealed: it has no {MANIFEST}"]
        return [sentence_of(name, what) for name, what in self.differences().items()]

    def differences(self) -> dict[str, Change]:
        """Files that are not as the manifest says, and what became of each.

        Raises: EnvironmentProblem where a file cannot be read.
        """
        listed: dict[str, str] = {}
        for line in self.text(MANIFEST).splitlines():
            digest, _, name = line.partition("  ")
            listed[name] = digest
        # What a list of others names is never opened: it may be any file of this machine.
        changes: dict[str, Change] = {name: "foreign" for name in listed if not _is_plain(name)}
        try:
            for name, digest in listed.items():
                path = self.path / name
                if name in changes:
                    continue
                if not path.is_file():
                    changes[name] = "missing"
                elif file_digest(path) != digest:
                    changes[name] = "changed"
            present = {path.name for path in self.path.iterdir()} - {MANIFEST}
        except OSError as error:
            raise EnvironmentProblem(
                f"cannot read {error.filename}: {error.strerror}; check its permissions"
            ) from error
        for name in sorted(present - set(listed)):
            changes[name] = "added"
        return changes


PLAINEST = "plainest.jsonl"
"""Records of the second launch of an official run, where one was asked for."""


class RunPaths:
    """Where the files of a run go while it is going on. Makes nothing.

    Args: store is the folder of all runs; run_id names this one.
    """

    def __init__(self, store: Path, run_id: str) -> None:
        self.run_id = run_id
        self.sealed_path = store / run_id
        self.path = store / (run_id + PARTIAL)

    @property
    def records(self) -> Path:
        """Where the engine writes its records."""
        return self.path / "records.jsonl"

    @property
    def stdout(self) -> Path:
        """What the engine printed."""
        return self.path / "stdout.txt"

    @property
    def stderr(self) -> Path:
        """What the engine and its launcher said."""
        return self.path / "stderr.txt"

    @property
    def official_reference(self) -> Path:
        """The block of reference 3.0."""
        return self.path / "official-reference.txt"

    @property
    def official_spec(self) -> Path:
        """The same in the names of the specification."""
        return self.path / "official-spec.txt"

    @property
    def heartbeat(self) -> Path:
        """Shared by all ranks while the run goes on."""
        return self.path / "heartbeat.bin"

    @property
    def plainest(self) -> Path:
        """Records of the second launch, in the plainest reading of the rules."""
        return self.path / PLAINEST

    @property
    def plainest_stderr(self) -> Path:
        """What was said in the second launch."""
        return self.path / "plainest-stderr.txt"

    @property
    def status(self) -> Path:
        """Progress for those who look from elsewhere."""
        return self.path / "status.json"


class OpenRun(RunPaths):
    """A run that is going on: the folder under its temporary name, made where missing.

    Raises: EnvironmentProblem where the folder cannot be written or locked; then there is none.
    """

    def __init__(self, store: Path, run_id: str) -> None:
        super().__init__(store, run_id)
        with _file_errors(self.path):
            self.path.mkdir(parents=True)
            try:
                self._try_to_write()
                held = take(self.path, f"the run {run_id}")
            except (OSError, EnvironmentProblem):
                shutil.rmtree(self.path, ignore_errors=True)
                raise
        self._let_go = weakref.finalize(self, os.close, held)

    def _try_to_write(self) -> None:
        """Finds a full disk or an exhausted quota now, not after the run. Raises: OSError."""
        probe = self.path / "probe"
        probe.write_bytes(b"\0" * 65536)
        probe.unlink()

    def drop(self) -> None:
        """Nothing of it is kept: nothing was measured."""
        shutil.rmtree(self.path, ignore_errors=True)
        self._let_go()

    def append(self, *records: "AnyRecord") -> None:
        """Adds records of the laboratory's own, after what the engine managed to write."""

        from isobath.records.codec import encode

        with _file_errors(self.records):
            text = self.records.read_bytes() if self.records.exists() else b""
            complete = text[: text.rfind(b"\n") + 1]
            if complete != text:  # a killed writer leaves a torn line
                self.records.write_bytes(complete)
            with self.records.open("ab") as out:
                out.writelines(encode(record).encode() + b"\n" for record in records)

    def append_cause(self, cause: "FailureRecord") -> None:
        """Adds why the run ended, in the place of what its ranks wrote when they noticed.

        A rank whose peer dies may still say that a call failed: that is no second failure.
        """
        with _file_errors(self.records):
            if self.records.exists():
                lines = self.records.read_bytes().splitlines(keepends=True)
                kept = [line for line in lines if not _is_failure(line)]
                replace_file(self.records, b"".join(kept))
        self.append(cause)

    def write_status(self, status: dict[str, Any]) -> None:
        """Rewrites status.json in one step; a full disk is no reason to end a run."""
        with contextlib.suppress(OSError):
            replace_file(self.status, json.dumps(status, indent=1) + "\n")

    def mark_unvalidated(self) -> None:
        """Says it by a file: official-reference.txt has no place for the word."""
        with _file_errors(self.path):
            (self.path / UNVALIDATED).write_text(
                "UNVALIDATED, no search of this run was validated. This holds for every number in "
                "this folder, in official-reference.txt too, which has the bytes of the reference "
                "program and so no word about it.\n",
                encoding="utf-8",
            )

    def seal(self, summary: "RunSummary", environment: dict[str, Any]) -> RunFolder:
        """Writes what is missing, hashes everything and renames the folder.

        No file keeps what is not stored (ADR 0031), whoever wrote it.

        Raises: EnvironmentProblem when that fails; the folder then stays under its temporary name.
        """
        with _file_errors(self.path):
            for name in TRANSIENT:
                (self.path / name).unlink(missing_ok=True)
            for path in (self.records, self.stdout, self.stderr):
                path.touch()
            text = summary.model_dump_json(indent=1, by_alias=True, exclude_none=True)
            (self.path / SUMMARY).write_text(text + "\n", encoding="utf-8")
            facts = json.dumps(environment, indent=1, sort_keys=True)
            (self.path / "environment.json").write_text(facts + "\n", encoding="utf-8")
            clean_folder(self.path, cleaner_of_this_process())
            names = sorted(path.name for path in self.path.iterdir())
            lines = [f"{file_digest(self.path / name)}  {name}\n" for name in names]
            for name in names:
                force_to_disk(self.path / name)
            replace_file(self.path / MANIFEST, "".join(lines), durably=True)
            self.path.rename(self.sealed_path)
            force_to_disk(self.sealed_path.parent)
            self._let_go()
        return RunFolder(self.sealed_path)


def sentence_of(name: str, what: Change) -> str:
    """What became of a file."""
    return f"{name if name.isprintable() else ascii(name)} {SENTENCES[what]}"


def _is_plain(name: str) -> bool:
    return name not in ("", ".", "..") and Path(name).name == name and name.isprintable()


def _is_failure(line: bytes) -> bool:
    with contextlib.suppress(ValueError):  # a torn line
        return bool(json.loads(line).get("kind") == "failure")
    return False


def file_digest(path: Path) -> str:
    """SHA-256 of a file, as sha256sum prints it."""
    with path.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()


def list_runs(store: Path) -> list[RunFolder]:
    """All runs of a store, oldest first, those cut off included."""
    if not store.is_dir():
        return []
    folders = [RunFolder(path) for path in store.iterdir() if path.is_dir()]
    return sorted((run for run in folders if _is_run(run)), key=lambda run: run.run_id)


def _is_run(run: RunFolder) -> bool:
    """A run that lost its manifest is one still: it shall be found, and called never sealed."""
    is_named = run.path.name.endswith(PARTIAL)
    return is_named or run.is_sealed or (run.path / "records.jsonl").is_file()
