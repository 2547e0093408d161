# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0

# Read by nvcc from its own folder; Debian's names absolute paths, this one the tree that nvcc lies in.

TOP                = $(_HERE_)/..

NVVMIR_LIBRARY_DIR = $(TOP)/nvvm/libdevice

LD_LIBRARY_PATH   += $(TOP)/nvvm/lib64:
PATH              += $(TOP)/nvvm/bin:$(_HERE_):

INCLUDES          += "-I$(TOP)/include" $(_SPACE_)
