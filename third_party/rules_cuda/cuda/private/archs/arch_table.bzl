# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Which GPU architectures each release of nvcc compiles for."""

# (architecture, first release, first release without it); None: still there.
_ARCHS = [
    ("30", (7, 0), (11, 0)),
    ("32", (7, 0), (11, 0)),
    ("35", (7, 0), (12, 0)),
    ("37", (7, 0), (12, 0)),
    ("50", (7, 0), (13, 0)),
    ("52", (7, 0), (13, 0)),
    ("53", (7, 0), (13, 0)),
    ("60", (8, 0), (13, 0)),
    ("61", (8, 0), (13, 0)),
    ("62", (8, 0), (13, 0)),
    ("70", (9, 0), (13, 0)),
    ("72", (9, 2), (13, 0)),
    ("75", (10, 0), None),
    ("80", (11, 0), None),
    ("86", (11, 1), None),
    ("87", (11, 4), None),
    ("88", (13, 0), None),
    ("89", (11, 8), None),
    ("90", (11, 8), None),
    ("90a", (12, 0), None),
    ("100", (12, 8), None),
    ("100a", (12, 8), None),
    ("100f", (12, 9), None),
    ("101", (12, 8), (13, 0)),
    ("101a", (12, 8), (13, 0)),
    ("101f", (12, 9), (13, 0)),
    ("103", (12, 9), None),
    ("103a", (12, 9), None),
    ("103f", (12, 9), None),
    ("110", (13, 0), None),
    ("110a", (13, 0), None),
    ("110f", (13, 0), None),
    ("120", (12, 8), None),
    ("120a", (12, 8), None),
    ("120f", (12, 9), None),
    ("121", (12, 9), None),
    ("121a", (12, 9), None),
    ("121f", (12, 9), None),
]

# Every architecture that the grammar of `archs` knows.
cuda_archs = [arch for arch, _, _ in _ARCHS]

def supported_archs(nvcc_version):
    """Returns the architectures that a release of nvcc compiles for.

    Args:
      nvcc_version: tuple of int, (major, minor).

    Returns:
      list of str, ascending.
    """
    return [
        arch
        for arch, since, until in _ARCHS
        if since <= nvcc_version and (until == None or nvcc_version < until)
    ]
