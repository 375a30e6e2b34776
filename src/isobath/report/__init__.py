# SPDX-License-Identifier: Apache-2.0
"""The report: one offline HTML page of one run. It reads and draws; it never starts a program."""
