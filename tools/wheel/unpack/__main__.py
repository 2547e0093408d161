# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Entry point of //tools/wheel/unpack."""

import sys

from tools.wheel.unpack.cli import main

if __name__ == "__main__":
    sys.exit(main())
