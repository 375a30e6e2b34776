# SPDX-License-Identifier: Apache-2.0
"""bench overlap: what non-blocking collectives hide behind fixed work."""
