# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
import pytest

from tests.unit.lint.conftest import MakeTree
from tools.lint.checks.device_symbols import find, find_in


@pytest.mark.parametrize(
    "text",
    [
        "static __global__ void Kernel(float* x) {}",
        "__global__ static void Kernel(float* x) {}",
        "namespace tw {\nstatic __global__ void Kernel() {}\n}",
        "template <int kN>\nstatic __global__ void Kernel() {}",
        "static __device__ float Twice(float x) { return 2 * x; }",
        "static __device__ int counter;",
        "static __constant__ float table[4] = {1, 2, 3, 4};",
        "__constant__ const float table[] = {1, 2};",
        "__device__ constexpr float kScale = 2.0f;",
        "namespace {\n__global__ void Kernel() {}\n}",
        'extern "C" {\nstatic __global__ void Kernel() {}\n}',
        "struct A { int x; };\nstatic __global__ void Kernel() {}",
    ],
)
def test_find_internal_linkage_is_found(text: str) -> None:
    assert len(list(find_in("a.cu", text))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "namespace tw {\n__global__ void Kernel(float* x) { static __shared__ float y[4]; }\n}",
        "struct Policy {\n  static __device__ float Load(const float* x) { return *x; }\n};",
        "template <typename T> struct P { static __device__ __forceinline__ T F(); };",
        "__device__ constexpr float Twice(float x) { return 2 * x; }",
        "inline __device__ constexpr float kScale = 2.0f;",
        "__constant__ float table[4];",
        "static int HostOnly() { return 1; }",
        "constexpr int kBlock = 256;",
        "// static __global__ void Kernel();\n/* namespace { */",
        "#define KERNEL static __global__ \\\n  void\nint x;",
        'const char* kText = "static __device__ int x;";',
        "namespace a::b {\n__global__ void Kernel(int n = 1'000) {}\n}",
        'extern "C" int Launch(const void* x) { return 0; }',
    ],
)
def test_find_external_linkage_finds_nothing(text: str) -> None:
    assert list(find_in("a.cu", text)) == []


def test_find_problem_gives_line_of_declaration(make_tree: MakeTree) -> None:
    text = "// why\n#include <x>\n\nnamespace tw {\n\nint a;\n\nstatic __device__ int b;\n}\n"
    tree = make_tree({"csrc/a.cuh": text, "csrc/a.cc": text, "tests/a.cu": text})
    (problem,) = find(tree)
    assert (problem.path, problem.line) == ("csrc/a.cuh", 8)
