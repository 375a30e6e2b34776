# SPDX-License-Identifier: Apache-2.0
"""What of environments, commands and machines is stored, and what never is: ADR 0031."""
