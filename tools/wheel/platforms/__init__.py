# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What the platform tags of wheels promise. The tables are auditwheel's."""
