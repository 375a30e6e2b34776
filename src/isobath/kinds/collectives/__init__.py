# SPDX-License-Identifier: Apache-2.0
"""bench collectives, and bench replay with the counts of a search."""
