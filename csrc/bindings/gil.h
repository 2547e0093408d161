// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// Taking the GIL from below C++ frames. Before Python 3.14, a thread that asks for it when the
// interpreter ends is ended with `pthread_exit`, whose unwinding C++ code with an unwinder of its
// own does not survive. From these functions such a thread never returns, as from Python 3.14's.

#ifndef TILEWRIGHT_BINDINGS_GIL_H_
#define TILEWRIGHT_BINDINGS_GIL_H_

#include <Python.h>

#ifdef __cplusplus
extern "C" {
#endif

// As PyEval_RestoreThread.
void tw_restore_thread(PyThreadState* state);

// As PyGILState_Ensure.
PyGILState_STATE tw_ensure_gil(void);

#ifdef __cplusplus
}
#endif

#endif  // TILEWRIGHT_BINDINGS_GIL_H_
