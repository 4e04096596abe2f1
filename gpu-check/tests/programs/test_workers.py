# part of: a run of pytest with two workers
# One test per worker. Findings of the first arrive while the second runs, and must not be attributed to it.
import atexit
import os
import time

import numpy as np
import pytest
from numba import cuda

PLACE = os.environ["TEST_WORKERS_PLACE"]


@cuda.jit(lineinfo=True)
def racy(bins):
    bins[cuda.grid(1) % 8] += 1


@cuda.jit(lineinfo=True)
def late(bins):
    bins[cuda.grid(1) % 4] += 2


@cuda.jit(lineinfo=True)
def clean(data):
    data[cuda.grid(1)] *= 2


def use(kernel):
    kernel[2, 64](cuda.to_device(np.zeros(128, dtype=np.int32)))


def mark(name):
    open(os.path.join(PLACE, name), "w").close()


def wait_for(name):
    end = time.monotonic() + 120
    while not os.path.exists(os.path.join(PLACE, name)):
        assert time.monotonic() < end, name
        time.sleep(0.05)


@pytest.fixture
def races():
    wait_for("clean-runs")
    yield
    use(racy)
    cuda.synchronize()
    mark("racy-ran")


def test_that_races_in_its_teardown(races):
    atexit.register(use, late)


def test_that_is_clean():
    use(clean)
    mark("clean-runs")
    wait_for("racy-ran")
    use(clean)
