#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the engine's tables of what is stored of an environment and what never is.

They are made of src/isobath/disclosure/names.toml, which the laboratory reads itself: both halves
keep the same. CMake runs this.

Usage: write_disclosure_names.py --output disclosure_names.hpp
"""

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from isobath.disclosure.names import Names, read_names  # noqa: E402

SOURCE = ROOT / "src" / "isobath" / "disclosure" / "names.toml"
HEAD = """// Written by tools/write_disclosure_names.py from names.toml: do not edit.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

namespace isobath::disclosure {

"""


def header(names: Names) -> str:
    """The tables as constants; lists of names in the order that binary search takes."""
    tables = {
        "variables": sorted(names.variables),
        "variables_of_mpi": sorted(names.of_mpi),
        "prefixes_of_mpi": names.prefixes_of_mpi,
        "credential_parts": names.credential_parts,
        "credential_words": sorted(names.credential_words),
        "harmless": sorted(names.harmless),
        "assigning_options": sorted(names.assigning_options),
        "setting_options": sorted(names.setting_options),
        "parameter_options": sorted(names.parameter_options),
    }
    body = "".join(_table(name, words) for name, words in tables.items())
    begins = "".join(f'    {{"{begin}", {least}}},\n' for begin, least in names.begins)
    body += (
        "inline constexpr std::pair<std::string_view, std::size_t> credential_begins[] = {\n"
        f"{begins}}};\n\n"
    )
    return f"{HEAD}{body}}}  // namespace isobath::disclosure\n"


def _table(name: str, words: Iterable[str]) -> str:
    listed = "".join(f'    "{word}",\n' for word in words)
    return f"inline constexpr std::string_view {name}[] = {{\n{listed}}};\n\n"


def main() -> int:
    """Writes the header, where it is not so already."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True)
    output: Path = parser.parse_args().output
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(header(read_names(SOURCE.read_text(encoding="utf-8"))), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
