# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Public attributes of `py_wheel`: rules_python's names and meanings, and ours marked as such."""

load(":wheel_component_info.bzl", "WheelComponentInfo")

_FILES = {
    "add_path_prefix": attr.string(
        doc = "Put before the paths of files from `deps`, after stripping; `wheel_files` is not affected. Default: nothing.",
    ),
    "components": attr.label_list(
        providers = [WheelComponentInfo],
        doc = "Ours: targets of `wheel_component`, the parts of the wheel that come from elsewhere. The wheel gets a bill of materials" +
              " of them in `.dist-info/sboms`.",
    ),
    "data_files": attr.label_keyed_string_dict(
        allow_files = True,
        doc = "Single files for the wheel's `.data` folder; values start with `purelib/`, `platlib/`, `headers/`, `scripts/` or" +
              " `data/`, and one that ends in `/` keeps the file's name.",
    ),
    "deps": attr.label_list(
        allow_files = True,
        doc = "What goes in: targets of `wheel_files`, `wheel_extension` and `py_package`, or any target whose default outputs are" +
              " meant. Runfiles and data are not followed; `py_package` does that.",
    ),
    "description_file": attr.label(
        allow_single_file = True,
        doc = "The long description, such as README.md.",
    ),
    "extra_distinfo_files": attr.label_keyed_string_dict(
        allow_files = True,
        doc = "Single files for the `.dist-info` folder, with their paths below it.",
    ),
    "license_files": attr.label_list(
        allow_files = True,
        doc = "Ours: licence texts, each with a `License-File` line. They lie below `.dist-info/licenses`: where `wheel_files` places" +
              " them, otherwise by base name.",
    ),
    "strip_path_prefixes": attr.string_list(
        doc = "Prefixes taken off the paths of files from `deps`; the first that matches counts. `wheel_files` is not affected.",
    ),
}

_NAME = {
    "abi": attr.string(
        doc = "ABI tag. Default: the Python toolchain's with a shared object inside, otherwise `none`. Make variables are expanded.",
    ),
    "distribution": attr.string(
        mandatory = True,
        doc = "Name of the distribution; the file name has it in lower case with `_` for `-` and `.`.",
    ),
    "platform": attr.string(
        doc = "Platform tag. Default: the target platform's (`linux_x86_64`) with a shared object inside, otherwise `any`. Make" +
              " variables are expanded.",
    ),
    "python_tag": attr.string(
        doc = "Python tag. Default: the Python toolchain's (`cp312`) with a shared object inside, otherwise `py3`. Set" +
              " `py3`, and `abi` to `none`, for shared objects that are no extension modules. Make variables are expanded.",
    ),
    "stamp": attr.int(
        default = -1,
        values = [-1, 0, 1],
        doc = "Only for rules_python's callers: 1 is refused, since a stamped wheel is never found in a cache.",
    ),
    "version": attr.string(
        mandatory = True,
        doc = "Version, normalised as PEP 440 says. Known at loading time: load it from a repository rule. Make" +
              " variables are expanded.",
    ),
}

_METADATA = {
    "author": attr.string(doc = "Author's name."),
    "author_email": attr.string(doc = "Author's address."),
    "classifiers": attr.string_list(doc = "Trove classifiers."),
    "compress": attr.bool(
        default = True,
        doc = "Whether to deflate; stored wheels are larger and faster to make.",
    ),
    "console_scripts": attr.string_dict(
        doc = "Commands, as name to `module:function`; also written into `entry_points`' group of that name.",
    ),
    "description_content_type": attr.string(
        doc = "Content type of `description_file`. Default: by its suffix.",
    ),
    "entry_points": attr.string_list_dict(
        doc = "Entry points, as group to list of `name = module:attribute`.",
    ),
    "extra_requires": attr.string_list_dict(
        doc = "Optional requirements, as extra to list of requirements.",
    ),
    "extra_requires_files": attr.label_keyed_string_dict(
        allow_files = True,
        doc = "Files like `requires_file`, as file to extra, added to `extra_requires`.",
    ),
    "homepage": attr.string(doc = "Address of the project."),
    "license": attr.string(doc = "Licence as free text; deprecated in favour of `license_expression`."),
    "license_expression": attr.string(doc = "Ours: licence as SPDX expression, such as `Apache-2.0`."),
    "project_urls": attr.string_dict(doc = "Addresses by label."),
    "python_requires": attr.string(doc = "Python versions, such as `>=3.10`."),
    "requires": attr.string_list(doc = "Requirements."),
    "requires_file": attr.label(
        allow_single_file = True,
        doc = "A file of requirements, one a line, added to `requires`. Comments may be in it, options of pip may not.",
    ),
    "summary": attr.string(doc = "One line about the project."),
}

PY_WHEEL_ATTRS = _FILES | _NAME | _METADATA

# Attributes that are metadata fields of the same name in the assembler's request.
METADATA_FIELDS = [
    "author",
    "author_email",
    "classifiers",
    "description_content_type",
    "extra_requires",
    "homepage",
    "license",
    "license_expression",
    "project_urls",
    "python_requires",
    "requires",
    "summary",
]
