# SPDX-License-Identifier: Apache-2.0
"""profile: where an MPI program spends its communication. One launch of it."""
