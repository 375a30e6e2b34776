# SPDX-License-Identifier: Apache-2.0
"""Whether network namespaces can stand in for several nodes here."""

from isobath.doctor.finding import Finding
from isobath.launch.namespaces import why_not
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
    refusal = why_not(transport_of(f"{LINK}:{DELAY}"))
    if refusal:
        return Finding("namespaces", "good", f"{words}; {refusal.partition(';')[0]}")
    return Finding("namespaces", "good", f"{words}, with latency too")
