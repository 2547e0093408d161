# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Software bills of materials in wheels: CycloneDX files under `.dist-info/sboms` (PEP 770)."""
