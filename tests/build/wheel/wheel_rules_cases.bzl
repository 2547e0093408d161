# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Cases of `wheel_rules_suite`: attributes, with the name or the message that they give."""

# Wheels by the file name that they must get.
NAMED = {
    "extension_of_given_tags": (
        "extension_of_given_tags-1.0-py3-none-linux_x86_64.whl",
        dict(deps = ["lib.so"], python_tag = "py3", abi = "none"),
    ),
    "library_with_version": (
        "library_with_version-1.0-{python}-{abi}-linux_x86_64.whl",
        dict(deps = ["libx.so.1"]),
    ),
    "local_version": ("local_version-1.0+cu13-py3-none-any.whl", dict(deps = ["a.py"], version = "1.0+cu13")),
    "make_variables": (
        "make_variables-1.5-py3-abi3-linux_odd.whl",
        dict(version = "$(ONE).5", python_tag = "py$(THREE)", abi = "abi$(THREE)", platform = "linux_$(ODD)", toolchains = ["variables"]),
    ),
    "native": ("native-1.0-{python}-{abi}-linux_x86_64.whl", dict(deps = ["a.py", "lib.so"])),
    "normalised": ("my_pkg_x-1.0-py3-none-any.whl", dict(distribution = "My-.pkg_X")),
    "pure": ("pure-1.0-py3-none-any.whl", dict(deps = ["a.py"])),
    "placed_static_library": (
        "placed_static_library-1.0-py3-none-linux_x86_64.whl",
        dict(deps = ["placed_compiled"], platform = "linux_x86_64"),
    ),
    "several_tags": ("several_tags-1.0-py2.py3-none-any.whl", dict(python_tag = "py2.py3")),
}

# Attributes that `py_wheel` refuses, with parts of the message.
REFUSED = {
    "abi_empty_in_the_middle": (
        ["attribute `abi` is \"abi3..none\", which is not a tag", "hint: write it like `cp312`"],
        dict(abi = "abi3..none"),
    ),
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
    "platform_with_dash": (
        ["attribute `platform` is \"macosx-10.9\", which is not a tag", "hint: write it like `linux_x86_64`"],
        dict(platform = "macosx-10.9"),
    ),
    "python_tag_of_unknown_variable": (
        ["attribute `python_tag` is \"$(PY)\", which is not a tag", "hint: write it like `cp312`"],
        dict(python_tag = "$(PY)"),
    ),
    "shared_object_in_any": (
        ["attribute `platform` is `any`", "the shared object `tests/build/wheel/lib.so` (from ", "hint: leave `platform` unset"],
        dict(deps = ["lib.so"], platform = "any"),
    ),
    "stamp": (
        ["attribute `stamp` is 1", "hint: load `version` from a repository rule"],
        dict(stamp = 1),
    ),
    "static_library": (
        [
            "attribute `deps`: ",
            ":compiled gives the static library `libcompiled.a`, which nothing in a wheel loads",
            "hint: name the extension module (`pybind_extension`) or shared library (`cc_binary` with `linkshared`)",
        ],
        dict(deps = ["compiled"]),
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
REPAIR_REFUSED = {
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
