// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// An extension module that tells which headers it was compiled with.
#include <Python.h>

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "version_probe", NULL, -1, NULL, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit_version_probe(void) {
  PyObject* module = PyModule_Create(&definition);
  if (module != NULL && PyModule_AddIntConstant(module, "HEX", PY_VERSION_HEX) != 0) {
    Py_DECREF(module);
    return NULL;
  }
  return module;
}
