# SPDX-License-Identifier: Apache-2.0
"""race: every plan on the same graph and keys."""
