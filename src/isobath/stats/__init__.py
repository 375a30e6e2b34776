# SPDX-License-Identifier: Apache-2.0
"""Thin, named uses of numpy and scipy: estimates with their uncertainty."""
