# SPDX-License-Identifier: Apache-2.0
"""Races: the same graph and keys under many settings, designed, kept and compared."""
