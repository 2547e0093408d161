# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`wheel_rules_suite`: what the wheel rules name, and what they refuse."""

load("@bazel_skylib//rules:write_file.bzl", "write_file")
load("//tests/build/wheel/private:extension_name_test.bzl", "extension_name_test")
load("//tests/build/wheel/private:must_fail_test.bzl", "bare_python_must_fail_test", "must_fail_test", "odd_platform_must_fail_test")
load("//tests/build/wheel/private:wheel_name_test.bzl", "wheel_name_test")
load("//tests/build/wheel/private:wheel_places_test.bzl", "wheel_places_test")
load("//tools/wheel:defs.bzl", "py_wheel", "repaired_wheel", "wheel_extension", "wheel_files")

# Wheels by the file name that they must get.
_NAMED = {
    "extension_of_given_tags": (
        "extension_of_given_tags-1.0-py3-none-linux_x86_64.whl",
        dict(deps = ["lib.so"], python_tag = "py3", abi = "none"),
    ),
    "library_with_version": (
        "library_with_version-1.0-{python}-{abi}-linux_x86_64.whl",
        dict(deps = ["libx.so.1"]),
    ),
    "local_version": ("local_version-1.0+cu13-py3-none-any.whl", dict(deps = ["a.py"], version = "1.0+cu13")),
    "native": ("native-1.0-{python}-{abi}-linux_x86_64.whl", dict(deps = ["a.py", "lib.so"])),
    "normalised": ("my_pkg_x-1.0-py3-none-any.whl", dict(distribution = "My-.pkg_X")),
    "pure": ("pure-1.0-py3-none-any.whl", dict(deps = ["a.py"])),
}

# Attributes that `py_wheel` refuses, with parts of the message.
_REFUSED = {
    "data_file_without_scheme": (
        ["attribute `data_files`", "is placed at `etc/a.py`", "hint: start with `data/`"],
        dict(data_files = {"a.py": "etc/a.py"}),
    ),
    "distinfo_of_several_files": (
        ["attribute `extra_distinfo_files`", ":two gives 2 files", "hint: name single files"],
        dict(extra_distinfo_files = {"two": "NOTICE"}),
    ),
    "duplicate_licence": (
        ["attribute `license_files`: `a.py` comes from both", "hint: drop one"],
        dict(license_files = ["a.py", "other_a"]),
    ),
    "duplicate_path": (
        ["attribute `deps`: `a.py` comes from both", ":placed_a and ", ":placed_other_a", "hint: drop one"],
        dict(deps = ["placed_a", "placed_other_a"]),
    ),
    "shared_object_in_any": (
        ["attribute `platform` is `any`", "the shared object `tests/build/wheel/lib.so` (from ", "hint: leave `platform` unset"],
        dict(deps = ["lib.so"], platform = "any"),
    ),
    "stamp": (
        ["attribute `stamp` is 1", "hint: load `version` from a repository rule"],
        dict(stamp = 1),
    ),
    "version_with_stamp_key": (
        ["attribute `version` is \"{BUILD_EMBED_LABEL}\"", "hint: write it like `1.2.0`"],
        dict(version = "{BUILD_EMBED_LABEL}"),
    ),
    "version_not_normalised": (
        ["attribute `version` is \"1.0-RC1\"", "hint: write it like `1.2.0`"],
        dict(version = "1.0-RC1"),
    ),
}

# Attributes that `repaired_wheel` refuses.
_REPAIR_REFUSED = {
    "repair_linux_platform": (
        ["attribute `platform`: `linux_x86_64` is not a manylinux tag", "hint: write it like"],
        dict(wheel = "native", platform = "linux_x86_64"),
    ),
    "repair_odd_name": (
        ["attribute `wheel`: `odd.whl`", "is not a wheel's file name", "hint: name it"],
        dict(wheel = "odd.whl"),
    ),
    "repair_pure": (
        ["attribute `wheel`: `pure-1.0-py3-none-any.whl`", "for any platform", "hint: use the wheel as it is"],
        dict(wheel = "pure"),
    ),
    "repair_two_wheels": (
        ["attribute `wheel`: ", ":two_wheels gives 2 wheels", "hint: name a `py_wheel` target"],
        dict(wheel = "two_wheels"),
    ),
}

def _inputs():
    for name in ["a.py", "lib.so", "libx.so.1", "odd.whl", "other/a.py"]:
        write_file(name = name + "_written", out = name, tags = ["manual"])
    native.filegroup(name = "other_a", srcs = ["other/a.py"])
    native.filegroup(name = "two", srcs = ["a.py", "lib.so"])
    native.filegroup(name = "two_libraries", srcs = ["lib.so", "libx.so.1"])
    native.filegroup(name = "two_wheels", srcs = ["native", "pure"], tags = ["manual"])
    wheel_files(name = "placed_a", srcs = ["a.py"])
    wheel_files(name = "placed_other_a", srcs = ["other/a.py"])

def _wheel(name, attributes):
    """A wheel that is only analysed: its shared objects are no ELF files."""
    py_wheel(name = name, tags = ["manual"], **(dict(distribution = name, version = "1.0") | attributes))

def wheel_rules_suite(name):
    """Declares the tests of names and refusals.

    Makes a wheel and a test `WHEEL_test` for each entry of the tables above, and a test_suite `NAME` of all.

    Args:
      name: name of the suite.
    """
    _inputs()
    for wheel, (expected, attributes) in _NAMED.items():
        _wheel(wheel, attributes)
        wheel_name_test(name = wheel + "_test", expected = expected, size = "small", target_under_test = wheel)
    for wheel, (message, attributes) in _REFUSED.items():
        _wheel(wheel, attributes)
        must_fail_test(name = wheel + "_test", message = message, size = "small", target_under_test = wheel)
    for wheel, (message, attributes) in _REPAIR_REFUSED.items():
        repaired_wheel(name = wheel, tags = ["manual"], **attributes)
        must_fail_test(name = wheel + "_test", message = message, size = "small", target_under_test = wheel)

    for platform, expected in {
        "manylinux_2_17_x86_64": "manylinux2014_x86_64.manylinux_2_17_x86_64",
        "manylinux_2_27_x86_64": "manylinux_2_27_x86_64",
    }.items():
        repaired_wheel(name = platform, platform = platform, tags = ["manual"], wheel = "native")
        wheel_name_test(
            name = platform + "_test",
            expected = "native-1.0-{python}-{abi}-" + expected + ".whl",
            size = "small",
            target_under_test = platform,
        )

    bare_python_must_fail_test(
        name = "bare_python_test",
        message = ["the Python toolchain says nothing of its ABI", "because the wheel holds", "hint: register"],
        size = "small",
        target_under_test = "native",
    )
    odd_platform_must_fail_test(
        name = "odd_platform_test",
        message = ["no platform tag is known", "hint: build for `linux_aarch64` or `linux_x86_64`"],
        size = "small",
        target_under_test = "native",
    )

    _places()
    _extensions()
    native.test_suite(name = name, tags = ["build"])

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
        wheel_places_test(name = target + "_test", expected = expected, size = "small", target_under_test = target)
    wheel_files(name = "outside_prefix", srcs = ["a.py"], strip_prefix = "csrc", tags = ["manual"])
    must_fail_test(
        name = "outside_prefix_test",
        message = ["attribute `strip_prefix`: `tests/build/wheel/a.py`", "is not below `csrc`", "hint: name a folder"],
        size = "small",
        target_under_test = "outside_prefix",
    )

def _extensions():
    wheel_extension(name = "extension", extension = "lib.so", tags = ["manual"])
    extension_name_test(name = "extension_test", module = "lib", size = "small", target_under_test = "extension")
    wheel_extension(name = "renamed", extension = "lib.so", module_name = "_C", tags = ["manual"])
    extension_name_test(name = "renamed_test", module = "_C", size = "small", target_under_test = "renamed")
    wheel_extension(name = "no_extension", extension = "a.py", tags = ["manual"])
    must_fail_test(
        name = "no_extension_test",
        message = ["attribute `extension`: ", "gives 0 shared objects", "hint: name a target"],
        size = "small",
        target_under_test = "no_extension",
    )
    wheel_extension(name = "two_extensions", extension = "two_libraries", tags = ["manual"])
    must_fail_test(
        name = "two_extensions_test",
        message = ["attribute `extension`: ", "gives 2 shared objects"],
        size = "small",
        target_under_test = "two_extensions",
    )
    bare_python_must_fail_test(
        name = "bare_python_extension_test",
        message = ["the Python toolchain says nothing of its ABI", "the file name of the extension module"],
        size = "small",
        target_under_test = "extension",
    )
