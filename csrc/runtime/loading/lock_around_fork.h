// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#ifndef TILEWRIGHT_RUNTIME_LOADING_LOCK_AROUND_FORK_H_
#define TILEWRIGHT_RUNTIME_LOADING_LOCK_AROUND_FORK_H_

#include <mutex>
#include <pthread.h>

namespace tilewright {

// From now on, holds `kMutex` while the process forks: a child forked while another thread held it
// would wait for ever, for a thread that it does not have. To be called once.
template <std::mutex& kMutex>
void LockAroundFork() {
  pthread_atfork([] { kMutex.lock(); }, [] { kMutex.unlock(); }, [] { kMutex.unlock(); });
}

}  // namespace tilewright

#endif  // TILEWRIGHT_RUNTIME_LOADING_LOCK_AROUND_FORK_H_
