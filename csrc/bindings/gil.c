// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// In C, where a cleanup handler is entered with a long jump that ends the unwinding in its frame.
// Compiled with exceptions it would be a part of the unwinding, and could not stop it.

#include "csrc/bindings/gil.h"

#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

#ifdef __EXCEPTIONS
#error "compile this file without -fexceptions"
#endif

static void Hang(void* unused) {
  (void)unused;
  while (1) pause();
}

void tw_restore_thread(PyThreadState* state) {
  pthread_cleanup_push(&Hang, NULL);
  PyEval_RestoreThread(state);
  pthread_cleanup_pop(0);
}

PyGILState_STATE tw_ensure_gil(void) {
  PyGILState_STATE state;
  pthread_cleanup_push(&Hang, NULL);
  state = PyGILState_Ensure();
  pthread_cleanup_pop(0);
  return state;
}
