# SPDX-License-Identifier: Apache-2.0
"""Results that other programs printed: taken in, marked as such, comparable, never ours."""
