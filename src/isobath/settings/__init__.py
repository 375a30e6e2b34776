# SPDX-License-Identifier: Apache-2.0
"""What a person may ask for, and how the words are read."""
