// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#ifndef TILEWRIGHT_TVM_PRIVATE_COPY_H_
#define TILEWRIGHT_TVM_PRIVATE_COPY_H_

#include <cstddef>
#include <string>

namespace tilewright::tvm {

// A writable copy of a shared library that the dynamic loader can open, without a name that
// outlives it: a memory file, or a temporary one (in TMPDIR, else /tmp) where memory files cannot
// be had.
//
// The copy is what lets two TVM runtimes use the same module in one process. The loader opens a
// file once however often it is asked for, and a module keeps its runtime's addresses in its own
// variables: shared, the second runtime would take the first one's module over.
class PrivateCopy {
 public:
  // Copies the file. Throws std::invalid_argument, before it copies, where the file does not begin
  // as a shared library does; std::system_error, whose text is the failed step and why.
  explicit PrivateCopy(const std::string& path);
  ~PrivateCopy();
  PrivateCopy(const PrivateCopy&) = delete;
  PrivateCopy& operator=(const PrivateCopy&) = delete;

  char* bytes() { return bytes_; }
  size_t size() const { return size_; }

  // Where dlopen finds the copy; never the same twice in a process. Valid while this object lives.
  const std::string& path() const { return path_; }

 private:
  void CopyFrom(int source);

  int descriptor_ = -1;
  char* bytes_ = nullptr;
  size_t size_ = 0;
  std::string path_;
  bool is_temporary_file_ = false;
};

}  // namespace tilewright::tvm

#endif  // TILEWRIGHT_TVM_PRIVATE_COPY_H_
