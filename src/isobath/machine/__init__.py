# SPDX-License-Identifier: Apache-2.0
"""What this machine is: processors, memory, limits. Reads /proc and /sys, starts nothing."""
