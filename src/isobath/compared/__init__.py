# SPDX-License-Identifier: Apache-2.0
"""Stored studies laid side by side: read, judged, and formed to findings, sections and a page."""
