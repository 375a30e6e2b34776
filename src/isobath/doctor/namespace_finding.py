# SPDX-License-Identifier: Apache-2.0
"""Whether network namespaces can stand in for several nodes here."""

from isobath.doctor.finding import Finding
from isobath.errors import IsobathError
from isobath.launch.delay_line import PROGRAM
from isobath.launch.namespaces import who_delays, why_not
from isobath.launch.transport import transport_of

LINK = "rate-limited:1gbit:2nodes"
DELAY = "50us"


def namespace_finding() -> Finding:
    """Makes two nodes with a limited link and takes them down again."""
    problem = why_not(transport_of(LINK))
    if problem:
        words, _, remedy = problem.partition("; ")
        return Finding("namespaces", "warning", words, remedy)
    words = "two nodes on this machine with a limited link work"
    try:
        by = who_delays(transport_of(f"{LINK}:{DELAY}"))
    except IsobathError as refusal:
        return Finding("namespaces", "good", f"{words}; {str(refusal).partition(';')[0]}")
    cost = ", which takes processor time from ranks, as this kernel has no netem"
    words += f", with latency too, by {by}{cost if by == PROGRAM else ''}"
    return Finding("namespaces", "good", words)
