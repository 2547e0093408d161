# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Public entry point: `pypi_archive`, `pypi_sdist` and `debian_archive`."""

load("//private:debian_archive.bzl", _debian_archive = "debian_archive")
load("//private:pypi_archive.bzl", _pypi_archive = "pypi_archive")
load("//private:pypi_sdist.bzl", _pypi_sdist = "pypi_sdist")

debian_archive = _debian_archive
pypi_archive = _pypi_archive
pypi_sdist = _pypi_sdist
