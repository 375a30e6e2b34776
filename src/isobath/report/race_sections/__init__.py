# SPDX-License-Identifier: Apache-2.0
"""The sections of a race report, one file each: TITLE and render, in the order of race_page.py."""
