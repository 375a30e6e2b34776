# SPDX-License-Identifier: Apache-2.0
"""``python -m isobath``: what ./isobath hands over to after set-up."""

from isobath.cli.main import main_and_exit

if __name__ == "__main__":
    main_and_exit()
