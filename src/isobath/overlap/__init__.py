# SPDX-License-Identifier: Apache-2.0
"""What the times of overlap records mean: definitions, the identity, words. Starts no program."""
