# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Works out which file goes where in a wheel."""

load(":wheel_files_info.bzl", "WheelFilesInfo")

def wheel_entries(ctx):
    """Returns every file of a wheel as a list of struct(file, path, label).

    Targets with `WheelFilesInfo` place their files themselves; of others the default outputs are taken,
    at their path in the workspace, after `strip_path_prefixes` and `add_path_prefix`.

    Args:
      ctx: rule context with `deps`, `strip_path_prefixes`, `add_path_prefix` and `data_files`.
    """
    entries = []
    for dep in ctx.attr.deps:
        if WheelFilesInfo in dep:
            for entry in dep[WheelFilesInfo].entries.to_list():
                entries.append(struct(file = entry.file, path = entry.path, label = dep.label))
        else:
            for file in dep[DefaultInfo].files.to_list():
                path = ctx.attr.add_path_prefix + _stripped(_workspace_path(file), ctx.attr.strip_path_prefixes)
                entries.append(struct(file = file, path = path, label = dep.label))
    _refuse_duplicates(ctx, entries)
    return entries

def single_files(ctx, attribute):
    """Returns the files of a label-to-path attribute as a list of struct(file, path, label).

    A path that ends in `/` is a folder: the file keeps its name.

    Args:
      ctx: rule context.
      attribute: str, name of a `label_keyed_string_dict`.
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

def _workspace_path(file):
    """Path below the root of the file's repository."""
    if file.short_path.startswith("../"):
        return file.short_path.split("/", 2)[2]
    return file.short_path

def _stripped(path, prefixes):
    for prefix in prefixes:
        if path.startswith(prefix):
            return path[len(prefix):].lstrip("/")
    return path

def _refuse_duplicates(ctx, entries):
    seen = {}
    for entry in entries:
        other = seen.get(entry.path)
        if other and other.file != entry.file:
            fail("{}: attribute `deps`: `{}` comes from both {} and {}.\nhint: drop one, or place it elsewhere with `wheel_files`".format(
                ctx.label,
                entry.path,
                other.label,
                entry.label,
            ))
        seen[entry.path] = entry
