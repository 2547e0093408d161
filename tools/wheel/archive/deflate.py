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

#: What wheels are compressed with unless the caller says otherwise. Beside zlib's level 6, on the
#: shared objects of triton and numpy: 3 times as fast and 2 to 4 % bigger; our level 6 is a quarter
#: slower and 0.3 % smaller, 4 an eighth faster and 2 % bigger.
DEFAULT_LEVEL = 5

#: A block is stored when none of this many samples, of so many bytes, gets 1 % smaller at level 1.
#: Compressed device code and weights are like that, and deflate would only spend time on them.
_SAMPLES, _SAMPLE = 8, 4096

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


def deflate_block(block: bytes, previous: bytes, *, level: int, final: bool) -> bytes:
    """Compress one block of a raw deflate stream.

    Args:
        block: the bytes to compress.
        previous: the block before it in the same stream, empty for the first.
        level: from 1, fast, to 9, small.
        final: whether the stream ends with this block.
    """
    dictionary = previous[-_WINDOW:]
    if _is_incompressible(block):
        level, dictionary = 0, b""
    options = (level, zlib_ng.DEFLATED, _RAW, _MEMORY_LEVEL, zlib_ng.Z_DEFAULT_STRATEGY)
    if dictionary:
        compressor = zlib_ng.compressobj(*options, zdict=dictionary)
    else:
        compressor = zlib_ng.compressobj(*options)
    mode = zlib_ng.Z_FINISH if final else zlib_ng.Z_SYNC_FLUSH
    return compressor.compress(block) + compressor.flush(mode)


def _is_incompressible(block: bytes) -> bool:
    """Whether deflate would gain nothing, judged by samples spread over the block."""
    if len(block) < _SAMPLES * _SAMPLE:
        return False
    step = (len(block) - _SAMPLE) // (_SAMPLES - 1)
    for number in range(_SAMPLES):
        sample = block[number * step : number * step + _SAMPLE]
        if len(zlib_ng.compress(sample, 1, _RAW)) < 0.99 * _SAMPLE:
            return False
    return True
