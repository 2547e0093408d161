# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`device_link`: relocatable device code to one linked image, as an object."""

load("//cuda/private:find_cuda_toolchain.bzl", "CUDA_TOOLCHAIN_TYPE")
load("//cuda/private/archs:arch_arguments.bzl", "uses_lto")
load(":host_compiler.bzl", "host_compiler")
load(":nvcc_arguments.bzl", "nvcc_arguments")

def device_link(ctx, cuda_toolchain, cc_toolchain, job, variant, objects):
    """Declares the device link of a target for one variant.

    Args:
      ctx: the rule context.
      cuda_toolchain: the CUDA `ToolchainInfo`.
      cc_toolchain: `CcToolchainInfo`.
      job: what `compile_job` returned.
      variant: an entry of `VARIANTS` with `rdc`.
      objects: depset of File with relocatable device code.

    Returns:
      File: the object to link beside `objects`.
    """

    # A folder of its own: nvcc leaves intermediate files there, with names that do not tell the variants apart.
    output = ctx.actions.declare_file("_objs/{name}/dlink{suffix}/{name}_dlink.o".format(
        name = ctx.label.name,
        suffix = variant.suffix.removesuffix(".o"),
    ))
    host = host_compiler(ctx, cc_toolchain, variant.pic, job.host_copts)
    args = nvcc_arguments(ctx, cuda_toolchain, host, job.archs_info, device_link = True)
    if uses_lto(job.archs_info):
        args.add("-dlto")
    args.add_all(job.device_linkopts)

    # Intermediate names reach the object; these are the same in any folder.
    args.add("--keep")
    args.add("--keep-dir", output.dirname)
    args.add("-dlink")
    args.add_all(objects)
    args.add("-o", output)
    ctx.actions.run(
        executable = cuda_toolchain.compiler_executable,
        arguments = [args],
        inputs = depset(transitive = [objects, cuda_toolchain.all_files, cc_toolchain.all_files]),
        outputs = [output],
        env = host.environment,
        use_default_shell_env = cuda_toolchain.use_default_shell_env,
        mnemonic = "CudaDeviceLink",
        progress_message = "Linking device code of %{label}",
        toolchain = CUDA_TOOLCHAIN_TYPE,
    )
    return output
