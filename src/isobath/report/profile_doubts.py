# SPDX-License-Identifier: Apache-2.0
"""What has to be known of a profile before any of its numbers is believed."""

from collections.abc import Sequence

from isobath.report.profile_data import ProfileData
from isobath.report.profile_sections.worlds import SHOWN_WORLDS, is_one_world, number
from isobath.report.wording import printable

MOST_OVERHEAD = 0.01
"""share of the wall time beyond which times are not to be believed"""


def doubts_of(worlds: Sequence[ProfileData]) -> tuple[str, ...]:
    """Of the command, and of each world that is shown."""
    if is_one_world(worlds):
        return doubts_of_world(worlds[0])
    mistake = worlds[0].profile.whole.mistake
    doubts = [f"{printable(mistake)}."] if mistake else []
    for world in worlds[:SHOWN_WORLDS]:
        doubts += [f"World {number(world)}: {doubt}" for doubt in doubts_of_world(world)]
    return tuple(doubts)


def doubts_of_world(data: ProfileData) -> tuple[str, ...]:
    """Ranks that ended badly, and times that are not those of the program alone."""
    whole = data.profile.whole
    doubts = []
    if whole.ranks_recorded < whole.ranks:
        doubts.append(
            f"Of {whole.ranks} ranks {whole.ranks_recorded} could write what they had; the others "
            "were killed."
        )
    if set(whole.endings) != {"finalized"}:
        doubts.append(f"Ranks ended: {', '.join(map(printable, whole.endings))}.")
    if whole.share_overhead > MOST_OVERHEAD:
        doubts.append("The profiler took more than 1 % of the wall time: times are too long.")
    if data.oversubscribed:
        doubts.append(
            f"OVERSUBSCRIBED: {whole.ranks} ranks on {data.processors} processors. Bytes and calls "
            "are facts; times say how ranks took turns."
        )
    return tuple(doubts)
