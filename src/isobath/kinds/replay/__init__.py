# SPDX-License-Identifier: Apache-2.0
"""bench replay: the traffic of a search, level by level, measured by itself."""
