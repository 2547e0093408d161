// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// Names of DLPack capsules. Source: https://dmlc.github.io/dlpack/latest/python_spec.html

#ifndef TILEWRIGHT_BINDINGS_CAPSULE_NAMES_H_
#define TILEWRIGHT_BINDINGS_CAPSULE_NAMES_H_

namespace tilewright::bindings {

inline constexpr char kUnversionedName[] = "dltensor";
inline constexpr char kUsedUnversionedName[] = "used_dltensor";
inline constexpr char kVersionedName[] = "dltensor_versioned";
inline constexpr char kUsedVersionedName[] = "used_dltensor_versioned";

}  // namespace tilewright::bindings

#endif  // TILEWRIGHT_BINDINGS_CAPSULE_NAMES_H_
