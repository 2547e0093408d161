# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Public entry point: `debian_archive`, `npm_archive`, `package_tree`, `pypi_archive` and `pypi_sdist`."""

load("//private:debian_archive.bzl", _debian_archive = "debian_archive")
load("//private:npm_archive.bzl", _npm_archive = "npm_archive")
load("//private:package_tree.bzl", _package_tree = "package_tree")
load("//private:pypi_archive.bzl", _pypi_archive = "pypi_archive")
load("//private:pypi_sdist.bzl", _pypi_sdist = "pypi_sdist")

debian_archive = _debian_archive
npm_archive = _npm_archive
package_tree = _package_tree
pypi_archive = _pypi_archive
pypi_sdist = _pypi_sdist
