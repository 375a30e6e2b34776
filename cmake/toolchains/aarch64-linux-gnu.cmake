# SPDX-License-Identifier: Apache-2.0
# Builds for 64-bit ARM with Debian's cross compiler; programs run under qemu-user. tools/cross_aarch64.py uses it.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-aarch64;-L;/usr/aarch64-linux-gnu")
set(CMAKE_DISABLE_FIND_PACKAGE_fmt ON)  # the host's is of another processor; the others we use have headers alone
