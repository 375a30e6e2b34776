// SPDX-License-Identifier: Apache-2.0
// A library must have a file. What is wanted of this one is read before it (Precompiled.cmake).
