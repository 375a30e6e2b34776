# SPDX-License-Identifier: Apache-2.0
"""Starts engine programs and watches them; never interprets results."""
