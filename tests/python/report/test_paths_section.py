# SPDX-License-Identifier: Apache-2.0
from isobath.records.codec import AnyRecord
from isobath.records.run import Paths
from isobath.records.run_records import RunRecords
from isobath.report.page import SECTIONS, page_html, sections_of
from isobath.report.run_data import RunData
from isobath.report.sections import paths
from records import examples


def data_of_both_kernels(*, pruned: bool) -> RunData:
    asked = Paths(plan="landmark", pruned=pruned, delta=0.0)
    run = examples.run_record().model_copy(update={"kernel": "both", "paths": asked})
    construction = examples.construction_record()
    records: list[AnyRecord] = [run, construction]
    records += [construction.model_copy(update={"kernel": "sssp"})]
    records += [examples.search_record(0), examples.path_search_record(0)]
    return RunData(RunRecords.of([*records, examples.finish_record()]))


def test_a_run_of_bfs_alone_has_no_section_on_paths() -> None:
    records = RunRecords.of([examples.run_record(), examples.search_record(0)])
    assert sections_of(RunData(records)) == SECTIONS


def test_a_run_of_both_kernels_has_one_that_says_so_where_edges_were_left_out() -> None:
    whole, pruned = data_of_both_kernels(pruned=False), data_of_both_kernels(pruned=True)
    assert paths in sections_of(whole)
    assert paths.TITLE in page_html(whole)
    assert "PRUNED" not in page_html(whole)
    assert "PRUNED: construction left out edges" in page_html(pruned)
