# SPDX-License-Identifier: Apache-2.0
"""Published figures, with their sources, and whether they fit each other."""
