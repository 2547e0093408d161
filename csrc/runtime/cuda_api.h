// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// The seam between libtilewright.so and the kernel libraries, libtilewright_cuda12.so and
// libtilewright_cuda13.so: functions `tw_cuda_*`, looked up by name. All are shipped together, but
// files of an upgrade may meet an older library that a process already holds.

#ifndef TILEWRIGHT_RUNTIME_CUDA_API_H_
#define TILEWRIGHT_RUNTIME_CUDA_API_H_

// Goes up with every change of a launcher's parameters or meaning. Not the release's version, which
// would compile the kernels anew for each release.
#define TW_CUDA_LIBRARY_VERSION 1

#endif  // TILEWRIGHT_RUNTIME_CUDA_API_H_
