# SPDX-License-Identifier: Apache-2.0
"""Sections of the report of a benchmark. Each has TITLE and render."""
