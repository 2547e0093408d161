# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`collect_objects`: the objects that `cuda_objects` and `cuda_library` beneath a target hand up."""

load("//cuda/private:providers.bzl", "CudaInfo")

def archive_objects(deps, variant):
    """Returns the objects of `cuda_objects` beneath, which the next archive takes in.

    Args:
      deps: list of Target.
      variant: an entry of `VARIANTS`.

    Returns:
      list of depset.
    """
    infos = [dep[CudaInfo] for dep in deps if CudaInfo in dep]
    return [getattr(info, variant.objects) for info in infos] + [getattr(info, "archive_" + variant.objects) for info in infos]

def device_link_objects(deps, variant):
    """Returns the relocatable objects of libraries beneath, for a device link.

    Args:
      deps: list of Target.
      variant: an entry of `VARIANTS` with `rdc`.

    Returns:
      list of depset.
    """
    return [getattr(dep[CudaInfo], "dlink_" + variant.objects) for dep in deps if CudaInfo in dep]

def cuda_info(variants, defines, own = {}, archive = {}, dlink = {}):
    """Makes a `CudaInfo`; objects that are not given are empty.

    Args:
      variants: `VARIANTS`.
      defines: depset of str.
      own: dict from a variant's name to depset.
      archive: the same for `archive_*`.
      dlink: the same for `dlink_*`.

    Returns:
      `CudaInfo`.
    """
    fields = {"defines": defines}
    for variant in variants:
        fields[variant.objects] = own.get(variant.objects, depset())
        fields["archive_" + variant.objects] = archive.get(variant.objects, depset())
        if variant.rdc:
            fields["dlink_" + variant.objects] = dlink.get(variant.objects, depset())
    return CudaInfo(**fields)
