# SPDX-License-Identifier: Apache-2.0
"""What a regression may claim: noise, number of launches, looks, verdicts. Reads nothing."""
