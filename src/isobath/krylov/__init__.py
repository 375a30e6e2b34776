# SPDX-License-Identifier: Apache-2.0
"""Conjugate gradients against pipelined ones: what to launch, what was found. Starts no program."""
