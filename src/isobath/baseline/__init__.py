# SPDX-License-Identifier: Apache-2.0
"""Reference results: kept as a chain of entries, given away as one file, taken in with doubt."""
