# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The pinned release of diffoscope, and the libraries that it is imported with."""

# A source distribution is all that there is on PyPI; it is plain Python.
DIFFOSCOPE_SDIST = struct(
    requirement = "diffoscope==332",
    sha256 = "da858807ce2535f1bb5c3942020b01c7aef14f870257c964b70cd4e1f2333206",
    strip_prefix = "diffoscope-332",
)

# Its two requirements, and a package each with the shared library that they load.
DIFFOSCOPE_LIBRARIES = {
    "extractcode-libarchive==3.5.1.210531": ["61b97b797c69a6675f38c79f0b456cd38618293d1fbf66f3588f0ba4fa6a1dbe"],
    "libarchive-c==5.3": ["651550a6ec39266b78f81414140a1e04776c935e72dfc70f1d7c8e0a3672ffba"],
    "pylibmagic==0.5.0": ["24b5bb791d42653d2668913c7b9a789b5458a2fff09d0ec3c8af33a1204eea6a"],
    "python-magic==0.4.27": ["c212960ad306f700aa0d01e5d7a325d20548ff97eb9920dcd29513174f0294d3"],
}
