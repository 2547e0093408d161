# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`cuda_toolchain`: a CUDA compiler as a Bazel toolchain."""

load("//cuda/private:providers.bzl", "CudaToolchainConfigInfo")

def _cuda_toolchain_impl(ctx):
    config = ctx.attr.toolchain_config[CudaToolchainConfigInfo]
    compiler = ctx.executable.compiler_label or ctx.attr.compiler_executable
    if not config.disabled_reason and bool(ctx.executable.compiler_label) == bool(ctx.attr.compiler_executable):
        fail("{}: set exactly one of `compiler_label` and `compiler_executable`\nhint: `compiler_label` for a compiler that Bazel fetches, `compiler_executable` for a path on the machine".format(ctx.label))
    return [platform_common.ToolchainInfo(
        name = ctx.label.name,
        compiler_executable = compiler,
        all_files = depset(
            [ctx.executable.compiler_label] if ctx.executable.compiler_label else [],
            transitive = [ctx.attr.compiler_files[DefaultInfo].files] if ctx.attr.compiler_files else [],
        ),
        config = config,
        cuda_toolkit = config.cuda_toolkit,
        toolchain_identifier = config.toolchain_identifier,

        # A compiler of the machine runs the machine's programs: gcc looks for `as` on PATH.
        use_default_shell_env = bool(ctx.attr.compiler_executable),
    )]

cuda_toolchain = rule(
    implementation = _cuda_toolchain_impl,
    doc = """Provides the `ToolchainInfo` of a CUDA compiler.

Its fields: `name`, `compiler_executable` (File or path), `all_files` (depset), `config` (`CudaToolchainConfigInfo`),
`cuda_toolkit` (Target with `CudaToolkitInfo`), `toolchain_identifier`, `use_default_shell_env` (bool).
""",
    attrs = {
        "compiler_executable": attr.string(doc = "Path of the compiler. This or `compiler_label`."),
        "compiler_files": attr.label(allow_files = True, cfg = "exec", doc = "What the compiler reads and runs."),
        "compiler_label": attr.label(allow_single_file = True, executable = True, cfg = "exec", doc = "The compiler. This or `compiler_executable`."),
        "toolchain_config": attr.label(mandatory = True, providers = [CudaToolchainConfigInfo], doc = "How to call the compiler."),
    },
)
