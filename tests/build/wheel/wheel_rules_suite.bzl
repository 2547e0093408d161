# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`wheel_rules_suite`: what the wheel rules name, and what they refuse."""

load("@bazel_skylib//rules:write_file.bzl", "write_file")
load("@rules_cc//cc:defs.bzl", "cc_library")
load("//tests/build/wheel/private:extension_name_test.bzl", "extension_name_test")
load("//tests/build/wheel/private:make_variables.bzl", "make_variables")
load("//tests/build/wheel/private:must_fail_test.bzl", "bare_python_must_fail_test", "must_fail_test", "odd_platform_must_fail_test")
load("//tests/build/wheel/private:wheel_name_test.bzl", "wheel_name_test")
load("//tests/build/wheel/private:wheel_places_test.bzl", "wheel_places_test")
load("//tools/wheel:defs.bzl", "py_wheel", "repaired_wheel", "wheel_component", "wheel_extension", "wheel_files")
load(":wheel_rules_cases.bzl", "NAMED", "REFUSED", "REPAIR_REFUSED")

_TEST = dict(size = "small", tags = ["build"])

def _inputs():
    for name in ["a.py", "empty.cc", "lib.so", "libx.so.1", "odd.whl", "other/a.py"]:
        write_file(name = name + "_written", out = name, tags = ["manual"])
    cc_library(name = "compiled", srcs = ["empty.cc"], linkstatic = True, tags = ["manual"])
    make_variables(name = "variables", variables = {"ODD": "odd", "ONE": "1", "THREE": "3"})
    native.filegroup(name = "other_a", srcs = ["other/a.py"])
    native.filegroup(name = "two", srcs = ["a.py", "lib.so"])
    native.filegroup(name = "two_libraries", srcs = ["lib.so", "libx.so.1"])
    native.filegroup(name = "two_wheels", srcs = ["native", "pure"], tags = ["manual"])
    wheel_files(name = "placed_a", srcs = ["a.py"])
    wheel_files(name = "placed_compiled", srcs = ["compiled"], dest = "pkg/lib", tags = ["manual"])
    wheel_files(name = "placed_other_a", srcs = ["other/a.py"])

def _wheel(name, attributes):
    """A wheel that is only analysed: its shared objects are no ELF files."""
    py_wheel(name = name, tags = ["manual"], **(dict(distribution = name, version = "1.0") | attributes))

def wheel_rules_suite(name):
    """Declares the tests of names and refusals.

    Makes a wheel and a test `WHEEL_test` for each case of `wheel_rules_cases.bzl`, and a test_suite `NAME` of all.

    Args:
      name: name of the suite.
    """
    _inputs()
    for wheel, (expected, attributes) in NAMED.items():
        _wheel(wheel, attributes)
        wheel_name_test(name = wheel + "_test", expected = expected, target_under_test = wheel, **_TEST)
    for wheel, (message, attributes) in REFUSED.items():
        _wheel(wheel, attributes)
        must_fail_test(name = wheel + "_test", message = message, target_under_test = wheel, **_TEST)
    for wheel, (message, attributes) in REPAIR_REFUSED.items():
        repaired_wheel(name = wheel, tags = ["manual"], **attributes)
        must_fail_test(name = wheel + "_test", message = message, target_under_test = wheel, **_TEST)

    for platform, expected in {
        "manylinux_2_17_x86_64": "manylinux2014_x86_64.manylinux_2_17_x86_64",
        "manylinux_2_27_x86_64": "manylinux_2_27_x86_64",
    }.items():
        repaired_wheel(name = platform, platform = platform, tags = ["manual"], wheel = "native")
        wheel_name_test(
            name = platform + "_test",
            expected = "native-1.0-{python}-{abi}-" + expected + ".whl",
            target_under_test = platform,
            **_TEST
        )

    bare_python_must_fail_test(
        name = "bare_python_test",
        message = ["the Python toolchain says nothing of its ABI", "because the wheel holds", "hint: register"],
        target_under_test = "native",
        **_TEST
    )
    odd_platform_must_fail_test(
        name = "odd_platform_test",
        message = ["no platform tag is known", "hint: build for `linux_aarch64` or `linux_x86_64`"],
        target_under_test = "native",
        **_TEST
    )

    _places()
    _extensions()
    _components()
    native.test_suite(name = name, tags = ["build"])

def _components():
    wheel_component(
        name = "hash_without_url",
        files = ["a.py"],
        license_expression = "MIT",
        linkage = "vendored",
        purl = "pkg:generic/a@1",
        source_sha256 = "0" * 64,
        tags = ["manual"],
        version = "1",
    )
    must_fail_test(
        name = "hash_without_url_test",
        message = ["attribute `source_sha256` is set, `source_url` is not", "hint: say what the hash is of"],
        target_under_test = "hash_without_url",
        **_TEST
    )

def _places():
    for target, (attributes, expected) in {
        "by_name": (dict(srcs = ["a.py", "libx.so.1"], dest = "pkg/lib"), ["pkg/lib/a.py", "pkg/lib/libx.so.1"]),
        "from_root": (dict(srcs = ["other/a.py"], strip_prefix = "."), ["tests/build/wheel/other/a.py"]),
        "with_folders": (
            dict(srcs = ["a.py", "other/a.py"], dest = "pkg", strip_prefix = "tests/build/wheel"),
            ["pkg/a.py", "pkg/other/a.py"],
        ),
    }.items():
        wheel_files(name = target, tags = ["manual"], **attributes)
        wheel_places_test(name = target + "_test", expected = expected, target_under_test = target, **_TEST)
    wheel_files(name = "outside_prefix", srcs = ["a.py"], strip_prefix = "csrc", tags = ["manual"])
    must_fail_test(
        name = "outside_prefix_test",
        message = ["attribute `strip_prefix`: `tests/build/wheel/a.py`", "is not below `csrc`", "hint: name a folder"],
        target_under_test = "outside_prefix",
        **_TEST
    )

def _extensions():
    wheel_extension(name = "extension", extension = "lib.so", tags = ["manual"])
    extension_name_test(name = "extension_test", module = "lib", target_under_test = "extension", **_TEST)
    wheel_extension(name = "renamed", extension = "lib.so", module_name = "_C", tags = ["manual"])
    extension_name_test(name = "renamed_test", module = "_C", target_under_test = "renamed", **_TEST)
    wheel_extension(name = "no_extension", extension = "a.py", tags = ["manual"])
    must_fail_test(
        name = "no_extension_test",
        message = ["attribute `extension`: ", "gives 0 shared objects", "hint: name a target"],
        target_under_test = "no_extension",
        **_TEST
    )
    wheel_extension(name = "two_extensions", extension = "two_libraries", tags = ["manual"])
    must_fail_test(
        name = "two_extensions_test",
        message = ["attribute `extension`: ", "gives 2 shared objects"],
        target_under_test = "two_extensions",
        **_TEST
    )
    bare_python_must_fail_test(
        name = "bare_python_extension_test",
        message = ["the Python toolchain says nothing of its ABI", "the file name of the extension module"],
        target_under_test = "extension",
        **_TEST
    )
