# SPDX-License-Identifier: Apache-2.0
"""Sections of what was found, formed once, and how a terminal and a page show them."""
