# SPDX-License-Identifier: Apache-2.0
"""Predictions from stored studies, as sections and facts. Everything in them says predicted."""
