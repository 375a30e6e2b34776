# SPDX-License-Identifier: Apache-2.0
"""The contract between engine and laboratory: these models define a line of records.jsonl."""
