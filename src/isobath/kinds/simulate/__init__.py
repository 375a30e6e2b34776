# SPDX-License-Identifier: Apache-2.0
"""Searches simulated on platforms that are not here. Every number of it is SIMULATED."""
