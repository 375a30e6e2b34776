# SPDX-License-Identifier: Apache-2.0
"""Switches off, for one interface, what hands several frames to the kernel as one.

Started as a program of its own inside a network namespace, with the name of the interface as its
argument. Left on, TCP sends up to 64 KiB as one frame, and a link that lets a frame through lets
all of it through at once. The same as ``ethtool -K NAME tso off gso off gro off``, without needing
that program.
"""

import array
import fcntl
import socket
import struct
import sys

SIOCETHTOOL = 0x8946
SEGMENTATION_BY_CARD, SEGMENTATION_BY_KERNEL, MERGING = 0x1F, 0x24, 0x2C
"""ETHTOOL_STSO, ETHTOOL_SGSO, ETHTOOL_SGRO of linux/ethtool.h"""

INTERFACE_NAME_BYTES = 16


def send_whole_frames(interface: str) -> None:
    """Raises: OSError where the kernel refuses."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        for command in (SEGMENTATION_BY_CARD, SEGMENTATION_BY_KERNEL, MERGING):
            value = array.array("I", [command, 0])
            address, _ = value.buffer_info()
            name = interface.encode()
            request = struct.pack(f"{INTERFACE_NAME_BYTES}sP16x", name, address)
            fcntl.ioctl(asked, SIOCETHTOOL, request)


if __name__ == "__main__":
    try:
        send_whole_frames(sys.argv[1])
    except OSError as error:
        sys.exit(f"{sys.argv[1]}: {error.strerror}")
