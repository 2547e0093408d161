# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Wheel file names at analysis time, after the binary distribution format specification."""

# Tags from before PEP 600 that stand for the same platform; file names carry both, sorted.
_OLD_TAGS = {
    "manylinux_2_12": "manylinux2010",
    "manylinux_2_17": "manylinux2014",
    "manylinux_2_5": "manylinux1",
}

def escape_distribution(distribution):
    """Returns the distribution name as file names write it: lower case, separators as one `_`.

    Args:
      distribution: str, the name as its authors write it.
    """
    parts = distribution.lower().replace("-", "_").replace(".", "_").split("_")
    return "_".join([part for part in parts if part])

def wheel_name(distribution, version, python_tag, abi, platform, build = ""):
    """Returns a wheel's file name.

    Args:
      distribution: str, escaped.
      version: str, normalised.
      python_tag: str, such as cp312.
      abi: str, such as cp312 or none.
      platform: str, such as linux_x86_64 or any.
      build: str, build number, or empty.
    """
    parts = [distribution, version, build, python_tag, abi, platform]
    return "-".join([part for part in parts if part]) + ".whl"

def parse_wheel_name(name):
    """Splits a wheel's file name.

    Args:
      name: str, base name.

    Returns:
      struct(distribution, version, build, python_tag, abi, platform), or None for another file.
    """
    if not name.endswith(".whl"):
        return None
    parts = name[:-len(".whl")].split("-")
    if len(parts) not in (5, 6) or not all(parts):
        return None
    return struct(
        distribution = parts[0],
        version = parts[1],
        build = parts[2] if len(parts) == 6 else "",
        python_tag = parts[-3],
        abi = parts[-2],
        platform = parts[-1],
    )

def manylinux_file_tag(platform):
    """Works out the platform part of the name that repair gives.

    Args:
      platform: str, such as manylinux_2_27_x86_64; `manylinux_2_17_x86_64` yields
        `manylinux2014_x86_64.manylinux_2_17_x86_64`.

    Returns:
      str, or None if `platform` is no manylinux tag.
    """
    parts = platform.split("_", 3)
    if len(parts) != 4 or parts[0] != "manylinux" or not (parts[1].isdigit() and parts[2].isdigit()):
        return None
    old = _OLD_TAGS.get("_".join(parts[:3]))
    tags = [platform] + ([old + "_" + parts[3]] if old else [])
    return ".".join(sorted(tags))
