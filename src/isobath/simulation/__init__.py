# SPDX-License-Identifier: Apache-2.0
"""What is simulated, and on what: schedules of searches, platforms. Starts no program."""
