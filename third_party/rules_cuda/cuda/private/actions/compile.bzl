# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`compile`: CUDA sources to objects, one nvcc action a source."""

load("//cuda/private:find_cuda_toolchain.bzl", "CUDA_TOOLCHAIN_TYPE")
load(":host_compiler.bzl", "host_compiler")
load(":nvcc_arguments.bzl", "nvcc_arguments")
load(":quoting.bzl", "quote_define", "quote_host_flag")

# From this release nvcc takes the seed of its generated names from the command line.
_RANDOM_SEED_SINCE = (12, 9)

def _object_paths(label, sources, suffix):
    """Returns the object's path for each source; sources that share a name get a folder by index."""
    counts = {}
    for source in sources:
        stem = source.basename.rpartition(".")[0]
        counts[stem] = counts.get(stem, 0) + 1
    seen, paths = {}, []
    for source in sources:
        stem = source.basename.rpartition(".")[0]
        index = seen.get(stem, 0)
        seen[stem] = index + 1
        folder = "_objs/{}/".format(label.name) + ("{}/".format(index) if counts[stem] > 1 else "")
        paths.append(folder + stem + suffix)
    return paths

def _compile_source(ctx, cuda_toolchain, cc_toolchain, host, job, source, output, rdc):
    args = nvcc_arguments(ctx, cuda_toolchain, host, job.archs_info)
    args.add_all(job.copts)
    args.add_all(job.ptxasopts, before_each = "-Xptxas")
    args.add_all(job.defines, before_each = "-D", map_each = quote_define)
    args.add_all(job.quote_includes, before_each = "-Xcompiler", format_each = "-iquote%s", map_each = quote_host_flag)
    args.add_all(job.includes, before_each = "-I")
    args.add_all(job.system_includes, before_each = "-isystem")
    args.add("-rdc=true" if rdc else "-rdc=false")

    # The same bytes in any folder: intermediate files are named after the object, and the names that nvcc generates
    # come from the source's path in the execution root, where nvcc would take the absolute one.
    args.add("-objtemp")
    args.add("-Xcudafe", source.path, format = "--orig_src_path_name=%s")
    if cuda_toolchain.config.nvcc_version >= _RANDOM_SEED_SINCE:
        args.add("--frandom-seed=" + output.short_path)

    args.add("-x", "cu")
    args.add("-c", source)
    args.add("-o", output)
    ctx.actions.run(
        executable = cuda_toolchain.compiler_executable,
        arguments = [args],
        inputs = depset([source], transitive = [job.headers, cuda_toolchain.all_files, cc_toolchain.all_files]),
        outputs = [output],
        env = host.environment,
        use_default_shell_env = cuda_toolchain.use_default_shell_env,
        mnemonic = "CudaCompile",
        progress_message = "Compiling CUDA {} of %{{label}}".format(source.short_path),
        toolchain = CUDA_TOOLCHAIN_TYPE,
    )

def compile(ctx, cuda_toolchain, cc_toolchain, job, variant):
    """Declares the compile actions of a target's sources for one variant.

    Args:
      ctx: the rule context.
      cuda_toolchain: the CUDA `ToolchainInfo`.
      cc_toolchain: `CcToolchainInfo`.
      job: what `compile_job` returned.
      variant: an entry of `VARIANTS`.

    Returns:
      list of File, one object a source.
    """
    host = host_compiler(ctx, cc_toolchain, variant.pic, job.host_copts)
    objects = []
    for source, path in zip(job.sources, _object_paths(ctx.label, job.sources, variant.suffix)):
        output = ctx.actions.declare_file(path)
        _compile_source(ctx, cuda_toolchain, cc_toolchain, host, job, source, output, variant.rdc)
        objects.append(output)
    return objects
