# SPDX-License-Identifier: Apache-2.0
"""What works on this machine, and what to fix."""
