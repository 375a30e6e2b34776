# SPDX-License-Identifier: Apache-2.0
"""Sections of the page of a profile."""
