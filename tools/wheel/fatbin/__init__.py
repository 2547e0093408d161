# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Reads fat binaries: the GPU code that nvcc puts into the section `.nv_fatbin` of a host file."""
