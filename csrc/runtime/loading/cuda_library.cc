// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/runtime/loading/cuda_library.h"

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <utility>

#include "csrc/runtime/cuda_api.h"
#include "csrc/runtime/loading/installation.h"
#include "csrc/runtime/loading/lock_around_fork.h"
#include "tilewright/c_api.h"

namespace tilewright {
namespace {

constexpr const char* kOverrideVariable = "TILEWRIGHT_CUDA";

// The majors to try, best first, and why the first ones come first.
struct Preference {
  std::vector<const CudaMajor*> majors;
  std::string reason_of_first;  // for the first `reasoned` of them
  size_t reasoned = 0;
};

Preference Prefer(const std::string& override_value, const std::vector<LoadedRuntime>& loaded) {
  Preference preference;
  if (!override_value.empty()) {
    for (const CudaMajor& major : kCudaMajors) {
      if (override_value == std::to_string(major.major)) preference.majors = {&major};
    }
    TW_CHECK(!preference.majors.empty(), TW_INVALID_ARGUMENT, "`", kOverrideVariable, "` is `",
             override_value, "`, expected 12 or 13",
             "\nhint: unset it to let tilewright choose the CUDA major");
    preference.reason_of_first = Concat("`", kOverrideVariable, "=", override_value, "`");
    preference.reasoned = 1;
    return preference;
  }
  const auto is_loaded = [&](const CudaMajor& major) {
    for (const LoadedRuntime& runtime : loaded) {
      if (runtime.major == major.major) return true;
    }
    return false;
  };
  for (const CudaMajor& major : kCudaMajors) {
    if (is_loaded(major)) preference.majors.push_back(&major);
  }
  preference.reason_of_first = "the process already holds this CUDA runtime";
  preference.reasoned = preference.majors.size();
  for (const CudaMajor& major : kCudaMajors) {
    if (!is_loaded(major)) preference.majors.push_back(&major);
  }
  return preference;
}

std::string OverrideValue() {
  const char* value = std::getenv(kOverrideVariable);
  return value != nullptr ? value : "";
}

CudaCandidate MakeCandidate(const CudaMajor& major, const CudaDriver& driver) {
  CudaCandidate candidate;
  candidate.major = &major;
  candidate.driver_ok = driver.version >= major.min_driver;
  for (const std::string& directory : OwnDirectories()) {
    std::string path = Concat(directory, "/", major.kernel_library);
    candidate.kernel_exists = FileExists(path);
    if (candidate.kernel_exists || candidate.kernel_path.empty()) {
      candidate.kernel_path = std::move(path);
    }
    if (candidate.kernel_exists) break;
  }
  return candidate;
}

[[noreturn]] void ThrowNoDriver(const CudaDriver& driver) {
  throw Error(TW_LIBRARY_NOT_FOUND,
              Concat("no NVIDIA driver: ", driver.error, "; tried:", AttemptLines(driver.attempts),
                     "\nhint: install NVIDIA's driver, 525 or newer for CUDA 12, 580 or newer for "
                     "CUDA 13; tensors on the CPU need none"));
}

[[noreturn]] void ThrowDriverTooOld(const CudaDriver& driver, const CudaMajor& oldest,
                                    const std::string& override_value) {
  throw Error(
      TW_CUDA,
      Concat("the NVIDIA driver supports CUDA ", CudaVersionText(driver.version), ", but ",
             override_value.empty() ? std::string("tilewright")
                                    : Concat("`", kOverrideVariable, "=", override_value, "`"),
             " needs CUDA ", CudaVersionText(oldest.min_driver), " or newer",
             "\nhint: update the driver to ", oldest.driver_name, " or newer",
             override_value.empty() ? "" : ", or unset the variable"));
}

// `candidates` are those that the driver supports, best first.
[[noreturn]] void ThrowNotFound(const std::vector<const CudaCandidate*>& candidates) {
  std::string majors, lines, unusable;
  const CudaMajor* installable = nullptr;
  for (const CudaCandidate* candidate : candidates) {
    const CudaMajor& major = *candidate->major;
    majors += Concat(majors.empty() ? "" : " or ", major.major);
    lines += AttemptLines(candidate->attempts);
    const bool lacks_runtime = candidate->kernel_exists && candidate->runtime.empty();
    if (!lacks_runtime) {
      unusable += Concat(unusable.empty() ? "`" : " and `", major.kernel_library, "`");
    } else if (installable == nullptr || major.major > installable->major) {
      installable = &major;
    }
  }
  const std::string reinstall =
      Concat("this installation lacks a usable ", unusable, ", reinstall it: ", ReinstallCommand());
  if (installable == nullptr) {
    throw Error(TW_LIBRARY_NOT_FOUND,
                Concat("tilewright's kernel library for CUDA ", majors,
                       " could not be used; tried:", lines, "\nhint: ", reinstall));
  }
  throw Error(
      TW_LIBRARY_NOT_FOUND,
      Concat("the CUDA runtime, `", installable->runtime_soname, "`, could not be used (CUDA ",
             majors, "); tried:", lines, "\nhint: `pip install 'tilewright[", installable->extra,
             "]'`", unusable.empty() ? "" : Concat("; or, as ", reinstall)));
}

std::mutex loader_mutex;  // guards the members of the loader

}  // namespace

// Owns the choice. Never freed.
class CudaLibraryLoader {
 public:
  static CudaLibraryLoader& Instance() {
    static auto* loader = new CudaLibraryLoader;
    return *loader;
  }

  const CudaLibrary& Get() {
    if (const CudaLibrary* library = library_.load(std::memory_order_acquire)) return *library;
    std::lock_guard<std::mutex> lock(loader_mutex);
    if (const CudaLibrary* library = library_.load(std::memory_order_acquire)) return *library;
    try {
      const CudaLibrary* library = Load();
      library_.store(library, std::memory_order_release);
      error_.clear();
      return *library;
    } catch (const Error& error) {
      error_ = error.what();
      throw;
    }
  }

  void SetSearchPath(std::vector<std::string> directories) {
    std::lock_guard<std::mutex> lock(loader_mutex);
    search_path_ = std::move(directories);
  }

  CudaLoadState State() {
    std::lock_guard<std::mutex> lock(loader_mutex);
    CudaLoadState state;
    state.driver = QueryCudaDriver();
    state.loaded_runtimes = LoadedCudaRuntimes();
    state.search_path = search_path_;
    state.override_value = OverrideValue();
    state.candidates = candidates_;
    if (state.candidates.empty()) {
      for (const CudaMajor& major : kCudaMajors) {
        state.candidates.push_back(MakeCandidate(major, state.driver));
      }
    }
    for (CudaCandidate& candidate : state.candidates) {
      if (!candidate.attempted) {
        candidate.attempts = ProbeCudaRuntime(*candidate.major, search_path_);
      }
    }
    state.library = library_.load(std::memory_order_acquire);
    state.error = error_;
    return state;
  }

 private:
  CudaLibraryLoader() { LockAroundFork<loader_mutex>(); }

  const CudaLibrary* Load() {
    candidates_.clear();
    const CudaDriver driver = QueryCudaDriver();
    for (const CudaMajor& major : kCudaMajors) {
      candidates_.push_back(MakeCandidate(major, driver));
    }
    const std::string override_value = OverrideValue();
    const Preference preference = Prefer(override_value, LoadedCudaRuntimes());
    if (!driver.error.empty()) ThrowNoDriver(driver);

    std::vector<const CudaCandidate*> attempted;
    for (size_t i = 0; i < preference.majors.size(); ++i) {
      CudaCandidate& candidate = CandidateOf(*preference.majors[i]);
      if (!candidate.driver_ok) continue;
      if (CudaLibrary* library = Open(candidate)) {
        library->reason_ =
            i < preference.reasoned
                ? preference.reason_of_first
                : Concat("the newest major that the driver (CUDA ", CudaVersionText(driver.version),
                         ") supports and whose runtime was found");
        return library;
      }
      attempted.push_back(&candidate);
    }
    if (attempted.empty()) {
      const CudaMajor* oldest = preference.majors.front();
      for (const CudaMajor* major : preference.majors) {
        if (major->major < oldest->major) oldest = major;
      }
      ThrowDriverTooOld(driver, *oldest, override_value);
    }
    ThrowNotFound(attempted);
  }

  CudaCandidate& CandidateOf(const CudaMajor& major) {
    for (CudaCandidate& candidate : candidates_) {
      if (candidate.major == &major) return candidate;
    }
    TW_UNREACHABLE("no candidate for CUDA ", major.major);
  }

  // Null, with the attempts in `candidate`, when a library is missing or does not fit.
  CudaLibrary* Open(CudaCandidate& candidate) {
    candidate.attempted = true;
    if (!candidate.kernel_exists) {
      for (const std::string& directory : OwnDirectories()) {
        candidate.attempts.push_back(
            {Concat(directory, "/", candidate.major->kernel_library), "not found"});
      }
      return nullptr;
    }
    const DynamicLibrary runtime =
        OpenCudaRuntime(*candidate.major, search_path_, candidate.attempts);
    if (!runtime) return nullptr;
    candidate.runtime = runtime.path();

    // Its need for the runtime is met by the one just opened, whose soname the loader knows.
    const DynamicLibrary kernels = DynamicLibrary::Open(candidate.kernel_path, candidate.attempts);
    if (!kernels) return nullptr;
    const auto number = [&](const char* function) {
      const auto get = kernels.function<int (*)()>(function);
      return get != nullptr ? get() : 0;
    };
    if (number("tw_cuda_library_version") != TW_CUDA_LIBRARY_VERSION) {
      candidate.attempts.back().result = OtherVersion(TW_CUDA_LIBRARY_VERSION);
      return nullptr;
    }
    const int version = number("tw_cuda_runtime_version");
    if (version / 1000 != candidate.major->major) {
      candidate.attempts.back().result =
          Concat("opened, but it runs on CUDA runtime ", CudaVersionText(version));
      return nullptr;
    }
    auto* library = new CudaLibrary;
    library->kernels_ = kernels;
    library->major_ = candidate.major->major;
    library->min_compute_capability_ = number("tw_cuda_min_compute_capability");
    library->runtime_version_ = version;
    library->runtime_path_ = candidate.runtime;
    return library;
  }

  std::atomic<const CudaLibrary*> library_{nullptr};
  std::vector<std::string> search_path_;
  std::vector<CudaCandidate> candidates_;  // of the last load; empty before the first
  std::string error_;
};

const CudaLibrary& CudaLibrary::Get() { return CudaLibraryLoader::Instance().Get(); }

CudaLoadState QueryCudaLoadState() { return CudaLibraryLoader::Instance().State(); }

void SetCudaSearchPath(std::vector<std::string> directories) {
  CudaLibraryLoader::Instance().SetSearchPath(std::move(directories));
}

void CudaLibrary::ThrowMissingSymbol(const char* name) const {
  throw Error(TW_LIBRARY_NOT_FOUND,
              Concat("`", kernels_.path(), "` has no `", name, "`",
                     "\nhint: the libraries of this installation do not belong together, reinstall "
                     "it: ",
                     ReinstallCommand()));
}

void CudaLibrary::ThrowCudaError(const char* operation, int code) const {
  const auto error_string = function<const char* (*)(int)>("tw_cuda_error_string");
  std::string hint;
  TwStatus status = TW_CUDA;
  switch (code) {
    case 2:  // cudaErrorMemoryAllocation
      status = TW_OUT_OF_MEMORY;
      break;
    case 35:  // cudaErrorInsufficientDriver
      hint = "\nhint: update NVIDIA's driver; `python -m tilewright doctor` shows the versions";
      break;
    case 100:  // cudaErrorNoDevice
      hint = "\nhint: see whether `nvidia-smi` lists a GPU and what `CUDA_VISIBLE_DEVICES` says";
      break;
    case 209:  // cudaErrorNoKernelImageForDevice
      hint = Concat("\nhint: tilewright has kernels for GPUs of compute capability ",
                    min_compute_capability_ / 10, ".", min_compute_capability_ % 10, " and newer");
      break;
    case 700:  // cudaErrorIllegalAddress
      hint = "\nhint: an earlier kernel may have caused it; `CUDA_LAUNCH_BLOCKING=1` tells which";
      break;
    default:
      break;
  }
  throw Error(status,
              Concat(operation, ": CUDA error ", code, " (", error_string(code), ")", hint));
}

}  // namespace tilewright

extern "C" {

TwStatus tw_cuda_set_search_path(const char* const* directories, int32_t count) {
  return tilewright::Guard([&] {
    TW_CHECK(count >= 0 && (count == 0 || directories != nullptr), TW_INVALID_ARGUMENT,
             "tw_cuda_set_search_path: no directories, count ", count);
    std::vector<std::string> copies;
    for (int32_t i = 0; i < count; ++i) {
      TW_CHECK(directories[i] != nullptr, TW_INVALID_ARGUMENT,
               "tw_cuda_set_search_path: directory ", i, " is null");
      copies.emplace_back(directories[i]);
    }
    tilewright::SetCudaSearchPath(std::move(copies));
  });
}

TwStatus tw_cuda_load(void) {
  return tilewright::Guard([] { tilewright::CudaLibrary::Get(); });
}

TwStatus tw_cuda_synchronize(int32_t device, TwStream stream) {
  return tilewright::Guard([&] {
    const tilewright::CudaLibrary& cuda = tilewright::CudaLibrary::Get();
    const auto synchronize = cuda.function<int (*)(int, void*)>("tw_cuda_stream_synchronize");
    TW_CHECK_CUDA(cuda, "tw_cuda_synchronize", synchronize(device, stream));
  });
}

}  // extern "C"
