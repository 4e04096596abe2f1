"""A test fails in which gpu-check has found something: `gpu-check -- python -m pytest -p gpu_check_pytest`.

Without gpu-check this does nothing. Launches run when something waits for them, so each test waits at its end.
"""

import ctypes
import json
import os

import pytest

RECORD = os.environ.get("GPU_CHECK_RECORD")


class Records:
    """What the program's processes have written down, from where the last look ended."""

    def __init__(self):
        self.read_to = 0

    def fresh(self):
        try:
            with open(RECORD, "rb") as file:
                file.seek(self.read_to)
                text = file.read()
        except FileNotFoundError:
            return []
        self.read_to += len(text)
        found = []
        for line in text.splitlines():
            try:
                found.append(json.loads(line))
            except ValueError:
                pass  # Of a process that was ended while it wrote.
        return found


def wait():
    """Runs what is queued. There may be no context, and then there is nothing."""
    try:
        ctypes.CDLL("libcuda.so.1").cuCtxSynchronize()
    except OSError:
        pass


def errors(records):
    """The reports of what is no note."""
    for record in records:
        finding = record.get("finding")
        if finding and not finding["is_note"]:
            yield finding["text"]
        stopped = record.get("stopped")
        if stopped:
            yield f"`{stopped['kernel']}` stopped: {stopped['why']}"


records = Records()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    if not RECORD:
        return (yield)
    wait()
    records.fresh()  # What came before belongs to no test.
    result = yield
    wait()
    found = list(errors(records.fresh()))
    if found:
        pytest.fail("gpu-check:\n\n" + "\n\n".join(found), pytrace=False)
    return result
