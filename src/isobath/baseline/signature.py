# SPDX-License-Identifier: Apache-2.0
"""Who made a file: known by a signature that ssh-keygen checks, and by nothing that the file says.

The signed text is the digest of an entry, which says all before it, and none after it.
"""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from isobath.baseline.chain import Baseline, digest_of
from isobath.baseline.provenance import MOST_SIGNATURES, Signature
from isobath.errors import EnvironmentProblem, UsageError
from isobath.study.shelf import printable

NAMESPACE = "isobath-baseline"
SECONDS = 60
KEY = re.compile(r"with (\S+) key (SHA256:\S+)")


def signed(baseline: Baseline, key: Path) -> Signature:
    """Of all its entries.

    Raises: UsageError for a key that does not sign, EnvironmentProblem without ssh-keygen.
    """
    if not key.is_file():
        raise UsageError(f"{key} is no file; name the private key, for example ~/.ssh/id_ed25519")
    with tempfile.TemporaryDirectory(prefix="isobath-sign-") as folder:
        text = Path(folder) / "head"
        text.write_text(baseline.head, encoding="ascii")
        done = _keygen(["-Y", "sign", "-f", str(key), "-n", NAMESPACE, str(text)], "")
        try:
            signature = text.with_name("head.sig").read_text(encoding="ascii")
        except OSError as error:
            raise UsageError(f"{key} signs nothing: {_last(done.stderr)}") from error
    return Signature(len(baseline.lines), signature)


def for_export(baseline: Baseline, key: Path | None) -> tuple[Signature, ...]:
    """Those that it came with, and that of a key; each of as many entries as it says.

    Raises: as ``signed``.
    """
    kept = baseline.provenance.up_to(len(baseline.lines)).signatures
    own = () if key is None else (signed(baseline, key),)
    known = {(made.entries, made.text): made for made in (*own, *kept)}
    return tuple(sorted(list(known.values())[:MOST_SIGNATURES], key=lambda made: made.entries))


def how_signed(baseline: Baseline, signatures: Sequence[Signature]) -> str:
    """How much of a file is."""
    most, count = max((made.entries for made in signatures), default=0), len(baseline.lines)
    if most in (0, count):
        return "signed" if most else "unsigned"
    return f"signed are the first {most} of {count} entries, what came later is unsigned"


def checked(baseline: Baseline, signature: Signature, signers: Path | None) -> Signature:
    """The same with what is to be said of it, in words that follow the name of a baseline.

    Args: signers is a file of allowed signers (ssh-keygen(1)) that the reader trusts.
    Raises: EnvironmentProblem where the signature is wrong, or there is no ssh-keygen.
    """
    digest = digest_of(baseline.lines[signature.entries - 1])
    claim = printable(baseline.archive.maker)
    with tempfile.TemporaryDirectory(prefix="isobath-sign-") as folder:
        place = Path(folder) / "head.sig"
        place.write_text(signature.text, encoding="utf-8")
        good = _keygen(["-Y", "check-novalidate", "-n", NAMESPACE, "-s", str(place)], digest)
        if good.returncode:
            raise EnvironmentProblem(
                f"its signature is not one of this content ({_last(good.stderr + good.stdout)}): "
                "nothing of it is taken; get it again from who made it"
            )
        hit = KEY.search(good.stdout)
        key = printable(f"{hit[1]} {hit[2]}") if hit else "some key"
        name = _principal(digest, place, signers) if signers is not None else ""
    if name:
        return replace(signature, words=f"signed by {name} ({key})", is_vouched=True)
    who = "nothing here vouches for (--signers FILE)"
    if signers is not None:
        who = f"{printable(str(signers))} does not vouch for"
    words = f"signed with the key {key}, which {who}; claims to be from {claim}"
    return replace(signature, words=words, is_vouched=False)


def unsigned_words(baseline: Baseline) -> str:
    """Of entries that nobody signed."""
    return f"unsigned, claims to be from {printable(baseline.archive.maker)}"


def _principal(digest: str, place: Path, signers: Path) -> str:
    """Whom the list says that the key is of; empty where it has no such key."""
    if not signers.is_file():
        raise UsageError(
            f"{signers} is no file of allowed signers; ssh-keygen(1) says how it looks"
        )
    listed = _keygen(["-Y", "find-principals", "-s", str(place), "-f", str(signers)], "")
    for name in listed.stdout.split("\n")[0].split(","):
        arguments = ["-Y", "verify", "-f", str(signers), "-I", name, "-n", NAMESPACE]
        if name and not _keygen([*arguments, "-s", str(place)], digest).returncode:
            return printable(name)
    return ""


def _keygen(arguments: Sequence[str], text: str) -> subprocess.CompletedProcess[str]:
    program = shutil.which("ssh-keygen")
    if program is None:
        raise EnvironmentProblem(
            "signatures need ssh-keygen, which is not here; install openssh-client"
        )
    try:
        return subprocess.run(
            [program, *arguments], input=text, text=True, capture_output=True, timeout=SECONDS,
            check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise EnvironmentProblem(
            f"ssh-keygen did not answer within {SECONDS} s; a key with a passphrase needs an agent"
        ) from error


def _last(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "ssh-keygen says nothing"
