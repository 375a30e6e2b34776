# SPDX-License-Identifier: Apache-2.0
"""The kinds of study, a package each; isobath.study.kinds is the list of them."""
