# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Entry point."""

import sys

from tools.lint.cli import main

if __name__ == "__main__":
    sys.exit(main())
