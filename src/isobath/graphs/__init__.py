# SPDX-License-Identifier: Apache-2.0
"""Graphs of files: searched by the engine, answers as arrays and files."""
