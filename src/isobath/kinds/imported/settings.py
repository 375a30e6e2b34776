# SPDX-License-Identifier: Apache-2.0
"""The settings of an import: what the files themselves do not say."""

from dataclasses import dataclass

from isobath.settings.declaration import declared, setting
from isobath.settings.shared import store_setting


@dataclass(frozen=True)
class ImportSettings:
    """What a person may say."""

    # fmt: off
    files: tuple[str, ...] = setting(
        (), "Outputs of other programs; several of the same are repeated launches",
        metavar="FILE...", is_argument=True, takes="files", is_place=True, may_repeat=True,
        split=lambda text: (text,),
    )
    ranks: int | None = setting(
        None, "Number of MPI ranks, where the program does not print it, as OSU", metavar="N",
        least=1,
        usual="not known",
    )
    mpi: str | None = setting(
        None, "The MPI library that the other program ran under", metavar="WORDS",
        usual="not known",
        takes="any words, for example `MPICH 4.2.1`",
    )
    where: str | None = setting(
        None, "The machine that the other program ran on", metavar="WORDS", usual="not known",
        takes="any words",
    )
    store: str | None = store_setting()
    # fmt: on


IMPORT = declared("import", ImportSettings, "IMPORT")
