# SPDX-License-Identifier: Apache-2.0
"""Models of time: formulas fitted to what was measured, judged on what they were not fitted to."""
