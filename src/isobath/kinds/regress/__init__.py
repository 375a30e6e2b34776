# SPDX-License-Identifier: Apache-2.0
"""Regressions: what a baseline holds is measured again, and held against it."""
