# SPDX-License-Identifier: Apache-2.0
from isobath.kinds.cg.work import judge
from records import examples


def test_a_launch_that_ended_well_and_left_no_cell_is_named() -> None:
    assert judge([examples.launch_record()]).missing == "no cell left a record"
    assert not judge([examples.launch_record()]).is_checked


def test_cells_with_right_norms_are_checked() -> None:
    found = judge([examples.krylov_record()])
    assert (found.missing, found.wrong, found.is_checked) == ("", "", True)
