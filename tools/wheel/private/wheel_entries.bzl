# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Works out which file goes where in a wheel."""

load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load(":repository_path.bzl", "repository_path")
load(":wheel_files_info.bzl", "WheelFilesInfo")

_STATIC_LIBRARY = (".a", ".lib", ".lo")

def wheel_entries(ctx):
    """Lists every file of a wheel; fails where two share a place, or one is a static library.

    Targets with `WheelFilesInfo` place their files themselves; of others the default outputs are taken,
    at their path in the workspace, after `strip_path_prefixes` and `add_path_prefix`.

    Args:
      ctx: rule context with `deps`, `strip_path_prefixes` and `add_path_prefix`.

    Returns:
      list of struct(file, path, label).
    """

    def place(file):
        return ctx.attr.add_path_prefix + _stripped(repository_path(file), ctx.attr.strip_path_prefixes)

    for target in ctx.attr.deps:
        if CcInfo in target and WheelFilesInfo not in target:
            _check_loadable(ctx, target)
    return _unique(ctx, "deps", _placed(ctx.attr.deps, place))

def _check_loadable(ctx, target):
    for file in target[DefaultInfo].files.to_list():
        if file.basename.endswith(_STATIC_LIBRARY):
            fail(("{}: attribute `deps`: {} gives the static library `{}`, which nothing in a wheel loads.\n" +
                  "hint: name the extension module (`pybind_extension`) or shared library (`cc_binary` with `linkshared`) that it" +
                  " is linked into; a wheel for those who link takes it with `wheel_files`").format(
                ctx.label,
                target.label,
                file.basename,
            ))

def placed_files(ctx, attribute):
    """Lists the files of a label list, by base name unless placed; fails where two share a place.

    Args:
      ctx: rule context.
      attribute: str, name of a `label_list`.

    Returns:
      list of struct(file, path, label).
    """
    return _unique(ctx, attribute, _placed(getattr(ctx.attr, attribute), lambda file: file.basename))

def _placed(targets, place):
    entries = []
    for target in targets:
        if WheelFilesInfo in target:
            for entry in target[WheelFilesInfo].entries.to_list():
                entries.append(struct(file = entry.file, path = entry.path, label = target.label))
        else:
            for file in target[DefaultInfo].files.to_list():
                entries.append(struct(file = file, path = place(file), label = target.label))
    return entries

def single_files(ctx, attribute):
    """Lists the files of a label-to-path attribute; fails for a target of several files.

    A path that ends in `/` is a folder: the file keeps its name.

    Args:
      ctx: rule context.
      attribute: str, name of a `label_keyed_string_dict`.

    Returns:
      list of struct(file, path, label).
    """
    entries = []
    for target, path in getattr(ctx.attr, attribute).items():
        files = target[DefaultInfo].files.to_list()
        if len(files) != 1:
            fail("{}: attribute `{}`: {} gives {} files, exactly one has a place at `{}`.\nhint: name single files".format(
                ctx.label,
                attribute,
                target.label,
                len(files),
                path,
            ))
        if path.endswith("/"):
            path += files[0].basename
        entries.append(struct(file = files[0], path = path, label = target.label))
    return entries

def _stripped(path, prefixes):
    for prefix in prefixes:
        if path.startswith(prefix):
            return path[len(prefix):].lstrip("/")
    return path

def _unique(ctx, attribute, entries):
    """The entries, a file that several targets bring once; fails where two files share a place."""
    seen = {}
    for entry in entries:
        other = seen.setdefault(entry.path, entry)
        if other.file != entry.file:
            fail("{}: attribute `{}`: `{}` comes from both {} and {}.\nhint: drop one, or place it elsewhere with `wheel_files`".format(
                ctx.label,
                attribute,
                entry.path,
                other.label,
                entry.label,
            ))
    return seen.values()
