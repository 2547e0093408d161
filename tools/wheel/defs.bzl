# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Public entry point: rules that make, repair, unpack, copy and test wheels."""

load("//tools/wheel/private:py_package.bzl", _py_package = "py_package")
load("//tools/wheel/private:py_wheel.bzl", _py_wheel = "py_wheel")
load("//tools/wheel/private:py_wheel_info.bzl", _PyWheelInfo = "PyWheelInfo")
load("//tools/wheel/private:repaired_wheel.bzl", _repaired_wheel = "repaired_wheel")
load("//tools/wheel/private:unpacked_wheel.bzl", _unpacked_wheel = "unpacked_wheel")
load("//tools/wheel/private:wheel_audit_test.bzl", _wheel_audit_test = "wheel_audit_test")
load("//tools/wheel/private:wheel_component.bzl", _wheel_component = "wheel_component")
load("//tools/wheel/private:wheel_component_info.bzl", _WheelComponentInfo = "WheelComponentInfo")
load("//tools/wheel/private:wheel_contents_test.bzl", _wheel_contents_test = "wheel_contents_test")
load("//tools/wheel/private:wheel_dist.bzl", _wheel_dist = "wheel_dist")
load("//tools/wheel/private:wheel_extension.bzl", _wheel_extension = "wheel_extension")
load("//tools/wheel/private:wheel_files.bzl", _wheel_files = "wheel_files")
load("//tools/wheel/private:wheel_files_info.bzl", _WheelFilesInfo = "WheelFilesInfo")
load("//tools/wheel/private:wheel_install_test.bzl", _wheel_install_test = "wheel_install_test")
load("//tools/wheel/private:wheel_size_test.bzl", _wheel_size_test = "wheel_size_test")

PyWheelInfo = _PyWheelInfo
WheelComponentInfo = _WheelComponentInfo
WheelFilesInfo = _WheelFilesInfo
py_package = _py_package
py_wheel = _py_wheel
repaired_wheel = _repaired_wheel
unpacked_wheel = _unpacked_wheel
wheel_audit_test = _wheel_audit_test
wheel_component = _wheel_component
wheel_contents_test = _wheel_contents_test
wheel_dist = _wheel_dist
wheel_extension = _wheel_extension
wheel_files = _wheel_files
wheel_install_test = _wheel_install_test
wheel_size_test = _wheel_size_test
