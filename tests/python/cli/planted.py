# SPDX-License-Identifier: Apache-2.0
"""Thirty credentials in an environment and in a command; a search for them in what is stored."""

import base64
import contextlib
import gzip
import html
import json
import re
import urllib.parse
import zlib
from collections.abc import Iterator
from pathlib import Path

NAMES = re.findall(
    r"\w+",
    """
    SLURM_JWT SLURM_AUTH_KEY SLURM_COMMENT SLURM_SPANK_THING OMPI_MCA_my_password
    OMPI_MCA_new_thing OMPI_TOKEN PMIX_SECURITY_MODE PMIX_SERVER_URI PRTE_MCA_secret UCX_SECRET
    UCX_NOT_KNOWN UCC_API_KEY FI_AUTH_KEY FI_NOT_KNOWN FI_OPX_TOKEN MPICH_NOT_KNOWN MPICH_JWT
    MPIR_CVAR_NOT_KNOWN MPIR_CVAR_COOKIE I_MPI_NOT_KNOWN I_MPI_HYDRA_PASSWORD OMP_NOT_KNOWN
    OMP_TOOL_TOKEN KMP_PRIVATE_KEY GOMP_SECRET MALLOC_TOKEN HCOLL_PASSWD SHARP_COLL_CREDENTIAL
    MV2_ACCESS_KEY AWS_SECRET_ACCESS_KEY GITHUB_TOKEN
    """,
)
"""Of variables whose values are ordinary words: their names are all that tells."""

OPTIONS = re.findall(
    r"[\w-]+",
    """
    token password passwd api-key api_key apikey secret client-secret auth cookie session-cookie
    jwt key private-key access-key credential credentials passphrase db-password
    aws-secret-access-key
    """,
)

LISTED = {
    "FI_PROVIDER_PATH": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJwbGFudGVkIn0.cGxhbnRlZC1zaWduYXR1cmU",
    "UCX_NET_DEVICES": "https://me:planted-word-of-the-network@host/",
    "I_MPI_ROOT": "/opt/ghp_plantedplantedplantedplanted0000",
    "SLURM_JOB_PARTITION": "AKIAPLANTEDPLANTED00",
    "OMP_PLACES": "Bearer planted-bearer-of-news",
    "MPICH_OFI_NIC_MAPPING": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYPLANTEDKEY",
    "OMPI_MCA_coll": "0123456789abcdef9876543210fedcba",
}
"""Whose names are those of what is stored: their values tell."""

IN_VALUES = {
    "UCX_NET_DEVICES": "planted-word-of-the-network",
    "OMP_PLACES": "planted-bearer-of-news",
}
"""What of a value is the credential."""


def variables() -> dict[str, str]:
    """All of them by name, every value another."""
    return {
        name: f"planted value {n:02} of {name.lower()}" for n, name in enumerate(NAMES)
    } | LISTED


def secrets_of_variables() -> list[str]:
    """What nobody may find."""
    return [IN_VALUES.get(name, value) for name, value in variables().items()]


def words() -> tuple[list[str], list[str]]:
    """Words of a command with thirty credentials in them, and what nobody may find."""
    found: list[str] = []
    hidden: list[str] = []
    for n, option in enumerate(OPTIONS):
        hidden.append(f"typed-secret-{n:02}")
        found += [f"--{option}={hidden[-1]}"] if n % 2 else [f"--{option}", hidden[-1]]
    more = {
        "typed-exported": ["-x", "MY_THING=typed-exported"],
        "typed-genv": ["-genv", "MY_THING", "typed-genv"],
        "typed-export": ["--export=ALL,MY_THING=typed-export"],
        "typed-env": ["--env", "MY_THING=typed-env"],
        "typed-variable": ["MY_THING=typed-variable"],
        "typed-in-a-shell": ["bash -c 'export TOKEN=typed-in-a-shell; program'"],
        "typed-in-an-address": ["https://me:typed-in-an-address@host/"],
        "typed-bearer": ["Authorization: Bearer typed-bearer"],
        "AKIATYPEDTYPEDTYPED0": ["AKIATYPEDTYPEDTYPED0"],
        "ghp_typedtypedtypedtypedtyped": ["ghp_typedtypedtypedtypedtyped"],
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ0eXBlZCJ9": ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ0eXBlZCJ9"],
    }
    for secret, typed in more.items():
        hidden.append(secret)
        found += typed
    return found, hidden


def found_in(folders: list[Path], secrets: list[str]) -> list[str]:
    """Each file that holds a secret, as it is or in any of the forms that pages embed."""
    forms = {form: secret for secret in secrets for form in forms_of(secret)}
    return [
        f"{path}: {forms[form]!r}"
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        for content in contents(path.read_bytes())
        for form in forms
        if form in content
    ]


def forms_of(secret: str) -> set[bytes]:
    """The secret as JSON, HTML, addresses and base64 have it."""
    plain = {secret, html.escape(secret), json.dumps(secret)[1:-1], urllib.parse.quote(secret)}
    plain.add(html.escape(secret).replace("/", "/<wbr>"))
    encoded = {
        base64.b64encode(b"x" * shift + secret.encode())[4 if shift else 0 : -4]
        for shift in range(3)
    }
    return {one.encode() for one in plain} | {one for one in encoded if len(one) > 8}


def contents(raw: bytes) -> Iterator[bytes]:
    """A file and whatever is compressed in it."""
    yield raw
    if raw[:2] == b"\x1f\x8b":
        yield gzip.decompress(raw)
    for begin in (b"H4sIA", b"eJ", b"eN"):
        at = raw.find(begin)
        while at >= 0:
            run = raw[at : at + 10_000_000].split(b'"', 1)[0].split(b"'", 1)[0]
            with contextlib.suppress(ValueError, zlib.error):
                yield zlib.decompress(base64.b64decode(run + b"=="), wbits=47)
            at = raw.find(begin, at + 1)
