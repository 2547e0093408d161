# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Quoting for nvcc, which splits values at commas and hands its host compiler's command line to a shell."""

_PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=/.:@%^~"

def quote_define(define):
    """Quotes the value of nvcc's own `-D`, which nvcc puts between double quotes.

    Args:
      define: `NAME` or `NAME=VALUE`.
    """
    return define.replace("\\", "\\\\").replace(",", "\\,").replace("$", "\\\\$").replace("`", "\\\\`")

def quote_host_flag(flag):
    """Quotes a word for `-Xcompiler`, which nvcc passes to the shell as it is.

    Args:
      flag: one word of the host compiler's command line.

    Returns:
      str: the flag itself where it needs no quoting.
    """
    for i in range(len(flag)):
        if flag[i] not in _PLAIN:
            quoted = "'" + flag.replace("'", "'\"'\"'") + "'"
            return quoted.replace("\\", "\\\\").replace(",", "\\,")
    return flag
