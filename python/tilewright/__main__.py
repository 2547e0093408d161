# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""``python -m tilewright``: see ``python -m tilewright --help``."""

from __future__ import annotations

import sys

from tilewright.doctor.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
