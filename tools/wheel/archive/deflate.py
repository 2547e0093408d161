# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Deflate with output that depends on the input and on nothing else.

The deflate format leaves the choice of matches to the compressor, so the same file compressed by
zlib, zlib-ng or libdeflate gives different bytes, and an interpreter's own `zlib` module is
whichever of them the distribution linked that year. The wheel's sha256 must not depend on that,
so the compressor is pinned: zlib-ng as bundled (statically) in the `zlib-ng` package, version
checked at run time. Measured before it was chosen, with the same input on CPython 3.10, 3.12 and
3.13 and on processors from plain SSE2 to AVX2 (emulated) and AVX-512:

* zlib-ng 2.3.3: identical everywhere, levels 1, 4, 6 and 9;
* libdeflate 1.2x (package `deflate`): identical too, but whole buffers only, so memory grows with
  the largest file and one file cannot be compressed by several threads;
* ISA-L (package `isal`): different bytes on different processors. Unusable here.

Streams are cut into blocks of fixed size. Each is compressed by itself with the 32 KiB before it
as dictionary and ended with a sync flush, so the results concatenate to one valid deflate stream:
blocks may run in parallel, and the bytes do not depend on how many threads there are.
"""

from __future__ import annotations

from zlib_ng import zlib_ng

from .errors import CompressorError

PINNED_ZLIB_NG = "2.3.3"

#: Bytes of input compressed as one unit. Changing it changes the hash of every wheel.
BLOCK_SIZE = 1 << 20

#: Level 6 is zlib's own default; 9 gains under 4 % on shared objects and takes twice the time.
LEVEL = 6

_WINDOW = 32 * 1024
_RAW = -15
_MEMORY_LEVEL = 9


def check_compressor() -> None:
    """Refuse a zlib-ng other than the pinned one.

    Raises:
        CompressorError: the `zlib-ng` package bundles another release.
    """
    found = str(zlib_ng.ZLIBNG_RUNTIME_VERSION)
    if found != PINNED_ZLIB_NG:
        raise CompressorError(
            f"the `zlib-ng` package bundles zlib-ng {found}, expected {PINNED_ZLIB_NG}",
            hint="install the locked `zlib-ng` package; other releases give other bytes",
        )


def deflate_block(block: bytes, previous: bytes, *, final: bool) -> bytes:
    """Compress one block of a raw deflate stream.

    Args:
        block: the bytes to compress.
        previous: the block before it in the same stream, empty for the first.
        final: whether the stream ends with this block.
    """
    dictionary = previous[-_WINDOW:]
    options = (LEVEL, zlib_ng.DEFLATED, _RAW, _MEMORY_LEVEL, zlib_ng.Z_DEFAULT_STRATEGY)
    if dictionary:
        compressor = zlib_ng.compressobj(*options, zdict=dictionary)
    else:
        compressor = zlib_ng.compressobj(*options)
    mode = zlib_ng.Z_FINISH if final else zlib_ng.Z_SYNC_FLUSH
    return compressor.compress(block) + compressor.flush(mode)
