# SPDX-License-Identifier: Apache-2.0
"""Isobath, a laboratory for distributed graph search: it plans, launches, stores and reports."""

__version__ = "0.1.0"
