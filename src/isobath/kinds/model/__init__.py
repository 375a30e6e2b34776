# SPDX-License-Identifier: Apache-2.0
"""Models of time: formulas fitted to studies, with a verdict: no launches (ADR 0039)."""
