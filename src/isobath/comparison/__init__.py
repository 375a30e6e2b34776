# SPDX-License-Identifier: Apache-2.0
"""Values of launches against others: pure functions that read nothing and print nothing."""
