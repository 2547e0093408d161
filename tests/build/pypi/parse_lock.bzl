# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests of `parse_lock`: what it reads, and the lines that it refuses."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts", "unittest")
load("//third_party/pypi/private:lock.bzl", "parse_lock")

_LOCK = """\
# Written by a tool.

alpha==1.0 --hash=sha256:{0}  # via requirements.in
zlib-ng==2.0 --hash=sha256:{1}  # via alpha, some-name
""".format(64 * "0", 64 * "1")

def _parse_lock_test_impl(ctx):
    env = unittest.begin(ctx)
    pins = parse_lock(_LOCK, "lock")
    asserts.equals(env, ["alpha", "zlib_ng"], sorted(pins))
    asserts.equals(env, "zlib-ng==2.0", pins["zlib_ng"].requirement)
    asserts.equals(env, 64 * "1", pins["zlib_ng"].sha256)
    asserts.equals(env, ["alpha", "some_name"], pins["zlib_ng"].requirers)
    return unittest.end(env)

parse_lock_test = unittest.make(_parse_lock_test_impl)

def _broken_lock_impl(ctx):
    parse_lock(ctx.attr.text, "locks/3.12.txt")

broken_lock = rule(
    implementation = _broken_lock_impl,
    attrs = {"text": attr.string(mandatory = True)},
)

def _must_fail_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.expect_failure(env, "`locks/3.12.txt`: cannot read the line `zlib-ng")
    asserts.expect_failure(env, "hint: write the locks anew with `bazel run //third_party/pypi:update`")
    return analysistest.end(env)

must_fail_test = analysistest.make(_must_fail_impl, expect_failure = True)
