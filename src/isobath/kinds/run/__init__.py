# SPDX-License-Identifier: Apache-2.0
"""run and search: the benchmark, and searches of a graph of a file. One launch each."""
