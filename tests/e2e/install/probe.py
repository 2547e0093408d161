# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Run by check.py in an environment with the wheel and NumPy: import time, numerics, doctor.

Prints one line of JSON; exit code 0 when every expectation holds.
"""

import json
import statistics
import subprocess
import sys
import time

IMPORT_BUDGET_MS = 60.0
RUNS = 10
# float32 rows of 1024 summed in float32: a few units in the last place of the largest value.
TOLERANCE = 1e-5


def milliseconds(code: str) -> float:
    """Median wall time of a fresh interpreter that runs `code`, warm."""
    samples = []
    for _ in range(RUNS + 1):
        started = time.perf_counter()
        subprocess.run([sys.executable, "-I", "-c", code], check=True)
        samples.append((time.perf_counter() - started) * 1e3)
    return statistics.median(samples[1:])


def rms_norm_error() -> float:
    """Largest absolute error of rms_norm on float32 against float64."""
    import numpy as np

    import tilewright

    generator = np.random.default_rng(0)
    x = generator.standard_normal((33, 1027), dtype=np.float32)
    weight = generator.standard_normal(1027, dtype=np.float32)
    wide = x.astype(np.float64)
    root_mean_square = np.sqrt((wide * wide).mean(axis=-1, keepdims=True) + 1e-6)
    expected = wide / root_mean_square * weight.astype(np.float64)
    actual = tilewright.rms_norm(x, weight)
    assert type(actual) is np.ndarray and actual.dtype == np.float32, type(actual)
    return float(abs(actual - expected).max())


def main() -> int:
    import_ms = milliseconds("import tilewright") - milliseconds("pass")
    loaded = "import sys, tilewright; print([m for m in ('numpy', 'torch') if m in sys.modules])"
    extra = subprocess.run(
        [sys.executable, "-I", "-c", loaded], check=True, capture_output=True, text=True
    ).stdout.strip()
    doctor = subprocess.run(
        [sys.executable, "-I", "-m", "tilewright", "doctor"], capture_output=True, text=True
    )
    error = rms_norm_error()
    facts = {
        "python": sys.version.split()[0],
        "import_ms": round(import_ms, 1),
        "modules_loaded": extra,
        "rms_norm_error": error,
        "doctor": doctor.returncode,
    }
    print(json.dumps(facts))
    if doctor.returncode:
        print(doctor.stdout, doctor.stderr, file=sys.stderr)
    passed = (
        import_ms < IMPORT_BUDGET_MS
        and extra == "[]"
        and error < TOLERANCE
        and doctor.returncode == 0
    )
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
