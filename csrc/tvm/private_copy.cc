// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/tvm/private_copy.h"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <elf.h>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "csrc/tvm/module_image.h"

namespace tilewright::tvm {
namespace {

constexpr size_t kMaxMemoryFileName = 249;  // of memfd_create(2)

[[noreturn]] void ThrowErrno(const std::string& step) {
  throw std::system_error(errno, std::generic_category(), step);
}

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() {
    if (value_ >= 0) close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return value_; }

 private:
  int value_;
};

// The path of an open descriptor. The loader takes a path it has seen before for the library it has
// loaded from there, and descriptors' numbers come again; so the path spells a count, in steps that
// the file system ignores.
std::string DescriptorPath(int descriptor) {
  static std::atomic<uint64_t> next{0};
  std::string path = "/proc/self/fd";
  for (uint64_t count = next++; count != 0; count >>= 1) path += (count & 1) != 0 ? "/." : "//.";
  return path + "/" + std::to_string(descriptor);
}

// The name under which debuggers and profilers show the copy.
std::string MemoryFileName(const std::string& path) {
  const std::string name = "tilewright-tvm:" + path.substr(path.find_last_of('/') + 1);
  return name.substr(0, kMaxMemoryFileName);
}

}  // namespace

PrivateCopy::PrivateCopy(const std::string& path) {
  const Descriptor source(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (source.get() < 0) ThrowErrno("open");
  struct stat status {};
  if (fstat(source.get(), &status) != 0) ThrowErrno("stat");
  if (!S_ISREG(status.st_mode)) {
    errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
    ThrowErrno("open");
  }
  char header[sizeof(Elf64_Ehdr)];
  const ssize_t header_size = pread(source.get(), header, sizeof header, 0);
  if (header_size < 0) ThrowErrno("read");
  RequireSharedLibrary(header, static_cast<size_t>(header_size));
  size_ = static_cast<size_t>(status.st_size);

  // By number: glibc has the function since 2.27 only. 1 is MFD_CLOEXEC.
  descriptor_ = static_cast<int>(syscall(SYS_memfd_create, MemoryFileName(path).c_str(), 1U));
  if (descriptor_ >= 0) {
    path_ = DescriptorPath(descriptor_);
    if (access(path_.c_str(), R_OK) != 0) {  // no /proc
      close(descriptor_);
      descriptor_ = -1;
    }
  }
  if (descriptor_ < 0) {
    const char* directory = std::getenv("TMPDIR");
    path_ = std::string(directory != nullptr && *directory != '\0' ? directory : "/tmp") +
            "/tilewright-tvm-XXXXXX";
    descriptor_ = mkostemp(path_.data(), O_CLOEXEC);
    if (descriptor_ < 0) ThrowErrno("create a temporary file like `" + path_ + "`");
    is_temporary_file_ = true;
  }
  try {
    CopyFrom(source.get());
  } catch (...) {
    close(descriptor_);
    if (is_temporary_file_) unlink(path_.c_str());
    throw;
  }
}

void PrivateCopy::CopyFrom(int source) {
  for (size_t copied = 0; copied < size_;) {
    const ssize_t step = sendfile(descriptor_, source, nullptr, size_ - copied);
    if (step < 0 && errno == EINTR) continue;
    if (step < 0) ThrowErrno("copy");
    if (step == 0) {  // the file shrank meanwhile
      errno = EIO;
      ThrowErrno("copy");
    }
    copied += static_cast<size_t>(step);
  }
  if (size_ == 0) return;
  void* mapped = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (mapped == MAP_FAILED) ThrowErrno("map");
  bytes_ = static_cast<char*>(mapped);
}

PrivateCopy::~PrivateCopy() {
  if (bytes_ != nullptr) munmap(bytes_, size_);
  close(descriptor_);
  if (is_temporary_file_) unlink(path_.c_str());
}

}  // namespace tilewright::tvm
