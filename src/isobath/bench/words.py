# SPDX-License-Identifier: Apache-2.0
"""Sizes as people of MPI write them."""


def size_words(size: float) -> str:
    """Bytes in powers of two where it is one of their multiples, else in full.

    >>> size_words(256), size_words(4096), size_words(3 * 2**20), size_words(267), size_words(1e9)
    ('256 B', '4 KiB', '3 MiB', '267 B', '1,000,000,000 B')
    """
    for name, unit in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size >= unit and (size / unit * 4).is_integer() and size / unit < 1024:
            return f"{size / unit:g} {name}"
    return f"{size:,.0f} B"
