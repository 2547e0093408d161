# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`py_wheel`: assembles a wheel, with tags that follow its content."""

load(":make_variables.bzl", "with_make_variables")
load(":py_wheel_attrs.bzl", "METADATA_FIELDS", "PY_WHEEL_ATTRS")
load(":py_wheel_info.bzl", "PyWheelInfo")
load(":python_abi.bzl", "PYTHON_TOOLCHAIN")
load(":shared_objects.bzl", "is_shared_object")
load(":wheel_component_info.bzl", "WheelComponentInfo")
load(":wheel_entries.bzl", "placed_files", "single_files", "wheel_entries")
load(":wheel_names.bzl", "escape_distribution", "wheel_name")
load(":wheel_tags.bzl", "PLATFORM_ATTRS", "wheel_tags")

_DATA_SCHEMES = ("data/", "headers/", "platlib/", "purelib/", "scripts/")

def _py_wheel_impl(ctx):
    version = _version(ctx)
    data_files = single_files(ctx, "data_files")
    _check_data_files(ctx, data_files)

    distribution = escape_distribution(ctx.attr.distribution)
    entries = wheel_entries(ctx) + [
        struct(
            file = entry.file,
            path = "{}-{}.data/{}".format(distribution, version, entry.path),
            label = entry.label,
        )
        for entry in data_files
    ]
    shared_objects = [entry for entry in entries if is_shared_object(entry.path)]
    tags = wheel_tags(ctx, shared_objects[0] if shared_objects else None)
    name = wheel_name(distribution, version, tags.python_tag, tags.abi, tags.platform)

    dist_info_files = single_files(ctx, "extra_distinfo_files")
    license_files = placed_files(ctx, "license_files")
    description = ctx.files.description_file
    request = struct(
        distribution = ctx.attr.distribution,
        name = name,
        metadata = {field: getattr(ctx.attr, field) for field in METADATA_FIELDS},
        files = _as_json(entries),
        dist_info_files = _as_json(dist_info_files),
        license_files = _as_json(license_files),
        components = [target[WheelComponentInfo].component for target in ctx.attr.components],
        description_file = description[0].path if description else "",
        requires_file = ctx.file.requires_file.path if ctx.file.requires_file else "",
        extra_requires_files = _extra_requires_files(ctx),
        entry_points = _entry_points(ctx),
        compress = ctx.attr.compress,
    )
    request_file = ctx.actions.declare_file(ctx.label.name + ".request.json")
    ctx.actions.write(request_file, json.encode_indent(request))

    wheel = ctx.actions.declare_file(name)
    args = ctx.actions.args()
    args.add("--request", request_file)
    args.add("--output", wheel)
    ctx.actions.run(
        executable = ctx.executable._assemble,
        arguments = [args],
        inputs = [entry.file for entry in entries + dist_info_files + license_files] +
                 description + ctx.files.requires_file + ctx.files.extra_requires_files + [request_file],
        outputs = [wheel],
        mnemonic = "PyWheel",
        progress_message = "Assembling wheel %{output}",
    )

    name_file = ctx.actions.declare_file(ctx.label.name + ".name")
    ctx.actions.write(name_file, name)
    return [
        DefaultInfo(files = depset([wheel]), runfiles = ctx.runfiles([wheel])),
        PyWheelInfo(grafted = [], name_file = name_file, wheel = wheel),
    ]

def _as_json(entries):
    return [
        struct(source = entry.file.path, path = entry.path, label = str(entry.label))
        for entry in entries
    ]

def _entry_points(ctx):
    groups = dict(ctx.attr.entry_points)
    scripts = ["{} = {}".format(name, target) for name, target in ctx.attr.console_scripts.items()]
    if scripts:
        groups["console_scripts"] = groups.get("console_scripts", []) + scripts
    return groups

def _extra_requires_files(ctx):
    paths = {}
    for target, extra in ctx.attr.extra_requires_files.items():
        paths.setdefault(extra, []).extend([file.path for file in target[DefaultInfo].files.to_list()])
    return paths

def _version(ctx):
    version = with_make_variables(ctx, "version")
    if ctx.attr.stamp == 1:
        fail(("{}: attribute `stamp` is 1, but volatile values in an action defeat every cache.\n" +
              "hint: load `version` from a repository rule, and leave `stamp` unset").format(ctx.label))
    odd = [character for character in version.elems() if not (character.isalnum() or character in ".+!")]
    if odd or not version or not version[0].isdigit() or version.lower() != version:
        fail(("{}: attribute `version` is {}, which is not a normalised version.\n" +
              "hint: write it like `1.2.0`, `1.2.0rc1` or `1.2.0+local`; build-time substitution is" +
              " not possible, the file name being declared before").format(ctx.label, repr(version)))
    return version

def _check_data_files(ctx, data_files):
    for entry in data_files:
        if not entry.path.startswith(_DATA_SCHEMES):
            fail("{}: attribute `data_files`: {} is placed at `{}`.\nhint: start with {}".format(
                ctx.label,
                entry.label,
                entry.path,
                ", ".join(["`{}`".format(scheme) for scheme in _DATA_SCHEMES]),
            ))

py_wheel = rule(
    implementation = _py_wheel_impl,
    doc = """Assembles a wheel from files and metadata.

File name and tags are known at analysis time: with a shared object inside they follow the Python toolchain and
the target platform, without one the wheel is `py3-none-any`. The bytes depend on the inputs alone. Provides
`PyWheelInfo`; the default output is the wheel.""",
    attrs = PY_WHEEL_ATTRS | PLATFORM_ATTRS | {
        "_assemble": attr.label(
            default = "//tools/wheel/assemble",
            cfg = "exec",
            executable = True,
        ),
    },
    provides = [PyWheelInfo],
    toolchains = [PYTHON_TOOLCHAIN],
)
