# SPDX-License-Identifier: Apache-2.0
"""A library that is preloaded, under which flock never returns, or fails where there are none."""

import subprocess
from pathlib import Path

SOURCE = """
#include <errno.h>
#include <sys/file.h>
#include <unistd.h>
int flock(int file, int how) {
  (void)file; (void)how;
  if (HANGS) pause();
  errno = ENOLCK;
  return -1;
}
"""


def broken_locks(folder: Path, *, hangs: bool) -> Path:
    """The library, made in a folder."""
    library = folder / "flock.so"
    (folder / "flock.c").write_text(SOURCE, encoding="utf-8")
    words = ["-shared", "-fPIC", f"-DHANGS={int(hangs)}", str(folder / "flock.c")]
    subprocess.run(["cc", *words, "-o", str(library)], check=True)
    return library
