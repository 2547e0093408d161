# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The four ways to compile one source: with and without position independence, with and without relocatable device code."""

VARIANTS = [
    struct(objects = "objects", pic = False, rdc = False, suffix = ".o"),
    struct(objects = "pic_objects", pic = True, rdc = False, suffix = ".pic.o"),
    struct(objects = "rdc_objects", pic = False, rdc = True, suffix = ".rdc.o"),
    struct(objects = "rdc_pic_objects", pic = True, rdc = True, suffix = ".rdc.pic.o"),
]
