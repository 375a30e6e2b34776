# SPDX-License-Identifier: Apache-2.0
"""isobath import: results of other programs, to be compared with."""

from isobath.cli.beside_settings import AsJson, DryRun
from isobath.cli.declared import Given, takes_settings
from isobath.cli.places import front_door, shown
from isobath.cli.planned import say_reading
from isobath.cli.studies import Ending, typed_study
from isobath.cli.terminal import say
from isobath.disclosure.words import typed_command
from isobath.kinds.imported.settings import IMPORT, ImportSettings
from isobath.report.wording import count_of
from isobath.study.home import shelf
from isobath.study.kinds import entry_of


@takes_settings(IMPORT)
def import_results(*, given: Given, dry_run: DryRun = False, json_output: AsJson = False) -> int:
    """Take in results of other programs: they are marked as imported, and can be compared.

    Known are outputs of the OSU micro-benchmarks, the Intel MPI Benchmarks, Graph500's reference
    and RIKEN's search, and ReFrame's report (JSON). Files of the same thing are its launches.

    Baselines of Isobath are taken in by ./isobath baseline import FILE.
    """
    from isobath.kinds.imported.stored import import_files, imported_result

    merged = given.merged()
    settings = ImportSettings(**merged.values)
    where = shelf(settings.store)
    if dry_run:
        reads = [f"{source.file}: {', '.join(source.programs)}, {count_of(source.values, 'value')}"
                 for source in imported_result(settings).sources]  # fmt: skip
        return say_reading("import", reads, where, vars(settings), as_json=json_output)
    folder = import_files(settings, where, merged.origins, typed_command())
    kind = entry_of("import").load()
    reading = kind.read(folder.path)
    Ending(json_output, with_report=False).show(kind, folder.path, reading)
    say(f"imported; {shown(folder.path)}")
    say(f"next: {front_door()} compare {typed_study(folder.path)} OTHER")
    return int(kind.code(reading))
