// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// The C API of libtilewright.so: operators on DLPack tensors, the choice of the CUDA kernel
// library, and the private TVM runtime. Plain C11; no exception crosses it. Every function may be
// called from any thread.
//
// Functions that return TwStatus leave a message for tw_last_error() when the status is not TW_OK.
// Functions that return `const char*` never return null; the text belongs to the library and is
// valid until the same function is called again on the same thread, that of tw_last_error() until
// any call fails there.

#ifndef TILEWRIGHT_C_API_H_
#define TILEWRIGHT_C_API_H_

#include <stddef.h>
#include <stdint.h>

#include "tilewright/dlpack.h"

#if defined(__GNUC__) || defined(__clang__)
#define TW_API __attribute__((visibility("default")))
#else
#define TW_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TwStatus {
  TW_OK = 0,
  TW_INVALID_ARGUMENT = 1,
  TW_SHAPE = 2,
  TW_DTYPE = 3,
  TW_DEVICE = 4,
  TW_STRIDE = 5,
  TW_OVERLAP = 6,
  TW_READ_ONLY = 7,
  TW_LIBRARY_NOT_FOUND = 8,
  TW_CUDA = 9,
  TW_TVM = 10,
  TW_OUT_OF_MEMORY = 11,
  TW_INTERNAL = 12
} TwStatus;

// The message of the last call that failed on this thread; "" before any did. The next one that
// fails, of whatever function of this header, overwrites it.
TW_API const char* tw_last_error(void);

// The release that this library came with, such as "1.2.3"; no library holds it itself. Hints that
// tell to reinstall name it from then on, and none before. Copies the string; replaces the previous
// one. TW_INVALID_ARGUMENT: null, empty, longer than 128, or with a character that no version has.
TW_API TwStatus tw_set_release(const char* release);

// A cudaStream_t, or null for the default stream; ignored when the tensors are on the CPU. CUDA
// operators are enqueued on it and return without waiting; they can be captured into a graph.
typedef void* TwStream;

// ---- operators ----------------------------------------------------------------------------------
//
// Tensors are float32, float16 or bfloat16, all on one device (CPU, pinned host memory counted as
// CPU, or one CUDA device). The last dimension must have stride 1, and the leading dimensions must
// collapse into one row stride. Sums are accumulated in float32. Empty tensors are fine. An output
// must not overlap an input or another output, except as stated.

// out = x / sqrt(mean(x^2 over the last dimension) + eps) * weight.
// x, out: [..., hidden], same dtype; weight: [hidden], contiguous, of x's dtype or float32.
// `out` may be exactly `x`.
// Source: Zhang and Sennrich, "Root Mean Square Layer Normalization", 2019.
TW_API TwStatus tw_rms_norm(const DLTensor* x, const DLTensor* weight, double eps, DLTensor* out,
                            TwStream stream);

// residual <- x + residual, then x <- rms_norm(residual, weight, eps); both in place. x, residual:
// [..., hidden], same shape and dtype. The norm is that of the sum as stored, rounded to the dtype.
TW_API TwStatus tw_add_rms_norm(DLTensor* x, DLTensor* residual, const DLTensor* weight, double eps,
                                TwStream stream);

// out = silu(x[..., :d]) * x[..., d:], silu(v) = v / (1 + exp(-v)). x: [..., 2*d], out: [..., d].
// Source: Shazeer, "GLU Variants Improve Transformer", 2020 (SwiGLU).
TW_API TwStatus tw_silu_and_mul(const DLTensor* x, DLTensor* out, TwStream stream);

// ---- the CPU ------------------------------------------------------------------------------------

// JSON: {"isa": "avx512" | "avx2" | "baseline", "threads": int|null, "error": str|null}. The error
// is that of a bad TILEWRIGHT_NUM_THREADS.
TW_API const char* tw_cpu_report(void);

// ---- the CUDA kernel library --------------------------------------------------------------------

// Directories of Python packages, such as sys.path's: pip puts libcudart in a folder below one.
// They are searched after the one that this library is below and before the system's. Copies the
// strings; replaces the previous list. Has no effect on a library that is already loaded.
TW_API TwStatus tw_cuda_set_search_path(const char* const* directories, int32_t count);

// Chooses a CUDA major and opens its kernel library. Returns at once when that was done before; a
// failure is not remembered, the next call tries again. The choice: TILEWRIGHT_CUDA=12|13 when set;
// else the major whose libcudart the process already holds; else the newest major that the driver
// supports and whose libcudart is found.
// TW_LIBRARY_NOT_FOUND: no libcudart, no kernel library, or no driver, with every path tried and
// the command that installs it. TW_CUDA: the driver is too old. TW_INVALID_ARGUMENT: a bad
// TILEWRIGHT_CUDA.
TW_API TwStatus tw_cuda_load(void);

// Waits until the work enqueued on `stream` of CUDA device `device` is done. Loads the kernel
// library as an operator does.
TW_API TwStatus tw_cuda_synchronize(int32_t device, TwStream stream);

// JSON, loading nothing new:
// {"driver": {"path": str|null, "version": int|null, "error": str|null},
//  "loaded_runtimes": [{"major": int, "path": str}],           libcudart held by the process
//  "search_path": [str], "override": str|null,
//  "candidates": [{"major": int, "min_driver": int, "driver_ok": bool,
//                  "kernel_library": {"path": str, "exists": bool},
//                  "runtime": str|null, "tried": [{"path": str, "result": str}]}],
//  "chosen": int|null, "reason": str|null, "error": str|null,
//  "runtime_version": int|null, "runtime_path": str|null,       of the chosen one, once loaded
//  "min_compute_capability": [int, int]|null}                   the oldest GPU it has kernels for
// Versions are CUDA's: 1000 * major + 10 * minor.
TW_API const char* tw_cuda_report(void);

// JSON, asked of the driver (initialises it): {"devices": [{"index": int, "name": str,
// "compute_capability": [int, int], "total_memory_bytes": int}], "error": str|null}.
TW_API const char* tw_cuda_devices(void);

// ---- the private TVM runtime --------------------------------------------------------------------
//
// Opened on first use from libtilewright_tvm.so beside this library: TW_LIBRARY_NOT_FOUND, with
// every path tried, when it is missing or does not match. Errors raised by TVM come as TW_TVM.

typedef struct TwTvmModule TwTvmModule;      // owned; tw_tvm_module_free
typedef struct TwTvmFunction TwTvmFunction;  // owned; tw_tvm_function_free

typedef enum TwTvmKind {
  TW_TVM_NONE = 0,
  TW_TVM_BOOL = 1,            // as_int: 0 or 1
  TW_TVM_INT = 2,             // as_int
  TW_TVM_FLOAT = 3,           // as_float
  TW_TVM_STRING = 4,          // as_string: UTF-8, `size` bytes, NUL after them
  TW_TVM_TENSOR = 5,          // as_tensor: borrowed; arguments only
  TW_TVM_MANAGED_TENSOR = 6,  // as_managed_tensor: owned; an argument is taken over by the call
  TW_TVM_FUNCTION = 7,        // as_function
  TW_TVM_MODULE = 8,          // as_module
  TW_TVM_LIST = 9             // as_list: `size` values; a result owns them
} TwTvmKind;

// One argument or result. Arguments are borrowed for the call, except that a managed tensor, also
// one in a list, is taken over whether the call succeeds or not: TVM may keep it after the call. A
// result belongs to the caller, who hands it to tw_tvm_value_free, or takes over what it points to
// and sets `kind` to TW_TVM_NONE.
typedef struct TwTvmValue {
  int32_t kind;      // a TwTvmKind
  int32_t reserved;  // 0
  union {
    int64_t as_int;
    double as_float;
    struct {
      const char* data;
      size_t size;
    } as_string;
    DLTensor* as_tensor;
    DLManagedTensorVersioned* as_managed_tensor;
    TwTvmFunction* as_function;
    TwTvmModule* as_module;
    struct {
      struct TwTvmValue* data;
      size_t size;
    } as_list;
  };
} TwTvmValue;

// Opens the TVM library if it is not open yet. A failure is not remembered.
TW_API TwStatus tw_tvm_load(void);

// JSON, loading nothing: {"loaded": bool, "path": str|null, "version": str|null,
// "tried": [{"path": str, "result": str}], "error": str|null}.
TW_API const char* tw_tvm_report(void);

// Loads a module that TVM's compiler exported: a shared library, or another format TVM's runtime
// has a loader for, told by the file's suffix.
TW_API TwStatus tw_tvm_load_module(const char* path, TwTvmModule** out);

// The function `name` of a module or of those it imports. TW_INVALID_ARGUMENT when there is none.
TW_API TwStatus tw_tvm_module_get_function(TwTvmModule* module, const char* name,
                                           TwTvmFunction** out);

// A function of TVM's global registry. TW_INVALID_ARGUMENT when there is none.
TW_API TwStatus tw_tvm_get_global_function(const char* name, TwTvmFunction** out);

// Calls `function` with `count` arguments; `result` is written only on TW_OK.
TW_API TwStatus tw_tvm_function_call(TwTvmFunction* function, const TwTvmValue* arguments,
                                     int32_t count, TwTvmValue* result);

// Frees what a handle or result owns; null, and a value that owns nothing, are fine.
TW_API void tw_tvm_module_free(TwTvmModule* module);
TW_API void tw_tvm_function_free(TwTvmFunction* function);
TW_API void tw_tvm_value_free(TwTvmValue* value);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TILEWRIGHT_C_API_H_
