# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`python -m tilewright doctor`: what this installation can do, and how to repair what it cannot.

`cli` parses and prints; `inspect` gathers facts; `diagnose` judges them; `report` is the result as
data and `text` the result as prose.
"""
