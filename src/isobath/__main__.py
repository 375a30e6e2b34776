# SPDX-License-Identifier: Apache-2.0
"""``python -m isobath``: what ./isobath hands over to after set-up."""

import sys

from isobath.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
