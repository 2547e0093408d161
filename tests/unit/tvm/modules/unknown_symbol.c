/* SPDX-FileCopyrightText: tilewright contributors */
/* SPDX-License-Identifier: Apache-2.0 */

#include "tests/unit/tvm/modules/arguments.h"

/* Of a TVM that does not exist. */
extern int TVMFFIOfTheFuture(void);

MODULE_FUNCTION(future) {
  (void)self;
  (void)arguments;
  (void)count;
  (void)result;
  return TVMFFIOfTheFuture();
}
