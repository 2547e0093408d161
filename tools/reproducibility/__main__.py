# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Entry point of //tools/reproducibility."""

import os
import sys

from tools.reproducibility.cli import main

if __name__ == "__main__":
    # `bazel run` starts programs elsewhere and names the caller's folder here.
    os.chdir(os.environ.get("BUILD_WORKING_DIRECTORY", "."))
    sys.exit(main())
