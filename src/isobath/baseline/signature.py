# SPDX-License-Identifier: Apache-2.0
"""Who made a file: known by a signature that ssh-keygen checks, and by nothing that the file says.

The signed text is the digest of the last entry, which says all entries.
"""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from isobath.baseline.chain import Baseline
from isobath.errors import EnvironmentProblem, UsageError

NAMESPACE = "isobath-baseline"
SECONDS = 60
KEY = re.compile(r"with (\S+) key (SHA256:\S+)")


def signed(baseline: Baseline, key: Path) -> str:
    """Raises: UsageError for a key that does not sign, EnvironmentProblem without ssh-keygen."""
    if not key.is_file():
        raise UsageError(f"{key} is no file; name the private key, for example ~/.ssh/id_ed25519")
    with tempfile.TemporaryDirectory(prefix="isobath-sign-") as folder:
        text = Path(folder) / "head"
        text.write_text(baseline.head, encoding="ascii")
        done = _keygen(["-Y", "sign", "-f", str(key), "-n", NAMESPACE, str(text)], "")
        try:
            return text.with_name("head.sig").read_text(encoding="ascii")
        except OSError as error:
            raise UsageError(f"{key} signs nothing: {_last(done.stderr)}") from error


def who_made(baseline: Baseline, signature: str, signers: Path | None) -> str:
    """In words that follow the name of a baseline.

    Args: signers is a file of allowed signers (ssh-keygen(1)) that the reader trusts.
    Raises: EnvironmentProblem where the signature is wrong, or there is no ssh-keygen.
    """
    claim = baseline.archive.maker
    if not signature:
        return f"unsigned, claims to be from {claim}"
    with tempfile.TemporaryDirectory(prefix="isobath-sign-") as folder:
        place = Path(folder) / "head.sig"
        place.write_text(signature, encoding="utf-8")
        good = _keygen(["-Y", "check-novalidate", "-n", NAMESPACE, "-s", str(place)], baseline.head)
        if good.returncode:
            raise EnvironmentProblem(
                f"its signature is not one of this content ({_last(good.stderr + good.stdout)}): "
                "nothing of it is taken; get it again from who made it"
            )
        hit = KEY.search(good.stdout)
        key = f"{hit[1]} {hit[2]}" if hit else "some key"
        if signers is None:
            return (
                f"signed with the key {key}, which nothing here vouches for (--signers FILE); "
                f"claims to be from {claim}"
            )
        return _vouched(baseline, place, signers, key, claim)


def _vouched(baseline: Baseline, place: Path, signers: Path, key: str, claim: str) -> str:
    if not signers.is_file():
        raise UsageError(
            f"{signers} is no file of allowed signers; ssh-keygen(1) says how it looks"
        )
    listed = _keygen(["-Y", "find-principals", "-s", str(place), "-f", str(signers)], "")
    for name in listed.stdout.split("\n")[0].split(","):
        arguments = ["-Y", "verify", "-f", str(signers), "-I", name, "-n", NAMESPACE]
        if name and not _keygen([*arguments, "-s", str(place)], baseline.head).returncode:
            return f"signed by {name} ({key})"
    return (
        f"signed with the key {key}, which {signers} does not vouch for; claims to be from {claim}"
    )


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
