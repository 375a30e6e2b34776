# SPDX-License-Identifier: Apache-2.0
"""Sections of the report, one file each, with ``needs`` and ``render(data) -> Section``."""
