# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`repaired_wheel`: a wheel repaired for one declared platform."""

load(":py_wheel_info.bzl", "PyWheelInfo")
load(":wheel_names.bzl", "manylinux_file_tag", "parse_wheel_name", "wheel_name")

def _repaired_wheel_impl(ctx):
    wheel = _single_wheel(ctx)
    output = ctx.actions.declare_file(_repaired_name(ctx, wheel.basename))
    report = ctx.actions.declare_file(ctx.label.name + ".repair.json")

    args = ctx.actions.args()
    args.add(wheel)
    args.add("--plat", ctx.attr.platform)
    args.add("--output", output)
    args.add("--report", report)
    args.add_all(ctx.attr.exclude_families, before_each = "--exclude-family")
    args.add_all(ctx.attr.exclude, before_each = "--exclude")
    args.add_all(
        ctx.files.libraries,
        before_each = "--library-folder",
        map_each = _folder,
        uniquify = True,
    )
    args.add_all(ctx.files.libraries, before_each = "--allow-grafted", map_each = _name)
    if not ctx.attr.search_paths:
        args.add("--no-search-paths")
    if not ctx.attr.compress:
        args.add("--level", "0")
    ctx.actions.run(
        executable = ctx.executable._repair,
        arguments = [args],
        inputs = [wheel] + ctx.files.libraries,
        outputs = [output, report],
        mnemonic = "PyWheelRepair",
        progress_message = "Repairing wheel %{output}",
    )

    name_file = ctx.actions.declare_file(ctx.label.name + ".name")
    ctx.actions.write(name_file, output.basename)
    return [
        DefaultInfo(files = depset([output]), runfiles = ctx.runfiles([output])),
        PyWheelInfo(
            grafted = [library.basename for library in ctx.files.libraries],
            name_file = name_file,
            wheel = output,
        ),
        OutputGroupInfo(report = depset([report])),
    ]

def _folder(file):
    return file.dirname

def _name(file):
    return file.basename

def _single_wheel(ctx):
    wheels = [file for file in ctx.files.wheel if file.extension == "whl"]
    if len(wheels) != 1:
        fail("{}: attribute `wheel`: {} gives {} wheels, exactly one can be repaired.\nhint: name a `py_wheel` target or a file that ends in `.whl`".format(
            ctx.label,
            ctx.attr.wheel.label,
            len(wheels),
        ))
    return wheels[0]

def _repaired_name(ctx, name):
    """The name of the output: known now, and held against the result by the tool."""
    platform = manylinux_file_tag(ctx.attr.platform)
    if not platform:
        fail("{}: attribute `platform`: `{}` is not a manylinux tag.\nhint: write it like `manylinux_2_27_x86_64`".format(
            ctx.label,
            ctx.attr.platform,
        ))
    parts = parse_wheel_name(name)
    if not parts:
        fail("{}: attribute `wheel`: `{}` (from {}) is not a wheel's file name.\nhint: name it `<distribution>-<version>-<python>-<abi>-<platform>.whl`".format(
            ctx.label,
            name,
            ctx.attr.wheel.label,
        ))
    if parts.platform == "any":
        fail("{}: attribute `wheel`: `{}` (from {}) is for any platform, there is nothing to repair.\nhint: use the wheel as it is".format(
            ctx.label,
            name,
            ctx.attr.wheel.label,
        ))
    return wheel_name(
        distribution = parts.distribution,
        version = parts.version,
        build = parts.build,
        python_tag = parts.python_tag,
        abi = parts.abi,
        platform = platform,
    )

repaired_wheel = rule(
    implementation = _repaired_wheel_impl,
    doc = """Repairs a wheel for exactly the declared platform, and rewrites it deterministically.

The action fails when the wheel does not meet the platform, carries an excluded library, has a search path that is not
relative to the file, or needs a library that nothing provides. Same inputs, same bytes, on any machine. The wheel states
in `.dist-info` which driver its GPU code needs (`cuda.json`) and what was copied into it (`sboms`). Provides
`PyWheelInfo`; output group `report` has the plan: how each needed library is met, and what is edited.""",
    attrs = {
        "compress": attr.bool(
            default = True,
            doc = "Whether to deflate what is edited, or was stored; False stores every file: faster to make, and larger.",
        ),
        "exclude": attr.string_list(
            doc = "Further libraries that stay outside, as soname patterns: `libfoo.so.*`. One that matches no needed library is an error. Default: none.",
        ),
        "exclude_families": attr.string_list(
            default = ["cuda"],
            doc = "Libraries that stay outside, by provider: `cuda`, `torch`, `tvm`, `tvm_ffi`. The driver's always do." +
                  " The table is in //tools/wheel/providers:families.py.",
        ),
        "libraries": attr.label_list(
            allow_files = True,
            doc = "Shared libraries that may be copied into the wheel; those of the machine never are. A `wheel_audit_test` of this target allows them, too. Default: none.",
        ),
        "platform": attr.string(
            default = "manylinux_2_27_x86_64",
            doc = "Platform tag to give, and to hold the wheel to.",
        ),
        "search_paths": attr.bool(
            default = True,
            doc = "Whether a file that needs an excluded library gets the way to it in the packages that the wheel requires, where its search path has none, and loses entries that lead out of site-packages or to folders that are not there; False leaves search paths alone.",
        ),
        "wheel": attr.label(
            allow_files = [".whl"],
            mandatory = True,
            doc = "The wheel: a target that makes one, or a file.",
        ),
        "_repair": attr.label(
            default = "//tools/wheel/repair",
            cfg = "exec",
            executable = True,
        ),
    },
    provides = [PyWheelInfo],
)
