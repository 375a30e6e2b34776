# SPDX-License-Identifier: Apache-2.0
"""How long searches will take that were not run: volumes, costs of calls, computation. Pure."""
