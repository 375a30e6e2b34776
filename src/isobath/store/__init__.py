# SPDX-License-Identifier: Apache-2.0
"""Run folders: one immutable, sealed folder per launch, queried in place."""
