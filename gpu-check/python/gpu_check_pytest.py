"""A test fails in which gpu-check has found something: `gpu-check -- python -m pytest -p gpu_check_pytest`.

Without gpu-check this does nothing. Launches run when something waits for them, so each phase of a test waits at its end.
"""

import gpu_check_records as records
import pytest


def checked(item, when):
    """Runs one phase of a test, and fails it with what was found meanwhile."""
    try:
        result = yield
    except BaseException:
        found = records.errors(records.fresh())
        if found:
            item.add_report_section(when, "gpu-check", "\n\n".join(found))
        raise
    found = records.errors(records.fresh())
    if found:
        pytest.fail("gpu-check:\n\n" + "\n\n".join(found), pytrace=False)
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item):
    records.fresh()  # What was found before the first test belongs to no test. The command reports it.
    return (yield from checked(item, "setup"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    return (yield from checked(item, "call"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item):
    return (yield from checked(item, "teardown"))


def pytest_sessionfinish():
    """Runs what is still queued: pytest-xdist kills a worker that takes long to exit."""
    records.wait()
