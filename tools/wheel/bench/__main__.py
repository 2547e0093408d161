# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Entry point of //tools/wheel/bench."""

import sys

from tools.wheel.bench.cli import main

if __name__ == "__main__":
    sys.exit(main())
