# SPDX-License-Identifier: Apache-2.0
"""What others published, item by item: by which method it can be had here, or why it cannot."""
