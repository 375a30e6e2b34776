# SPDX-License-Identifier: Apache-2.0
"""Searches of the graph of a file as a kind of study."""
