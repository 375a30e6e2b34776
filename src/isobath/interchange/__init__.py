# SPDX-License-Identifier: Apache-2.0
"""Graphs in the formats of other programs."""
