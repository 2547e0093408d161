/* SPDX-FileCopyrightText: tilewright contributors */
/* SPDX-License-Identifier: Apache-2.0 */

#include "tests/unit/tvm/modules/arguments.h"

/* In TVM's own header, of which the runtime's C interface is a part. */
extern int TVMBackendParallelLaunch(int (*body)(int, void*, void*), void* closure, int tasks);

static int FillTask(int task, void* group, void* closure) {
  (void)group;
  ((float*)closure)[task] = (float)(task + 1);
  return 0;
}

/* fill(out): out[0] = 1, out[1] = 2, each by a task of the runtime's thread pool. */
MODULE_FUNCTION(fill) {
  (void)self;
  (void)count;
  result->type_index = kTVMFFINone;
  return TVMBackendParallelLaunch(FillTask, FloatsOf(TensorOf(&arguments[0])), 2);
}
