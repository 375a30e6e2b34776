# SPDX-License-Identifier: Apache-2.0
"""What a search moves, in closed form: bytes by plan, switch, level and phase; where plans cross.

Pure arithmetic: nothing here starts a program or reads a file of a run.
"""
