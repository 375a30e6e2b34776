# SPDX-License-Identifier: Apache-2.0
"""Profiles of MPI programs: from what each rank recorded to records and views."""
