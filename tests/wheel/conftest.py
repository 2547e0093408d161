# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
import os
from pathlib import Path

import pytest

from tests.wheel.built_wheel import BuiltWheel


@pytest.fixture(scope="session")
def wheel() -> BuiltWheel:
    """The wheel named by TILEWRIGHT_WHEEL; the build sets it."""
    return BuiltWheel(Path(os.environ["TILEWRIGHT_WHEEL"]))
