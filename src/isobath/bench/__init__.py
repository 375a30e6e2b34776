# SPDX-License-Identifier: Apache-2.0
"""Benchmarks of collectives: what is measured, in which order, and what it says. Starts nothing."""
