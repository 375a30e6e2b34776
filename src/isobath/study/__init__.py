# SPDX-License-Identifier: Apache-2.0
"""Studies: what every kind of measurement shares, from its plan on disk to its sealed launches."""
