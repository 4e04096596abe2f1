"""The findings of this process and of those that it starts, as gpu-check writes them to a file."""

import ctypes
import json
import os

RECORD = os.environ.get("GPU_CHECK_RECORD")

# Processes of one program share the file. Each record carries this variable of the process that wrote it. Child
# processes inherit it, so a record of a child counts as one of the process that imported this module.
GROUP = str(os.getpid())
os.environ["GPU_CHECK_GROUP"] = GROUP

read_to = 0


def wait():
    """Runs what is queued. There may be no context, and then there is nothing."""
    if not RECORD:
        return
    try:
        ctypes.CDLL("libcuda.so.1").cuCtxSynchronize()
    except OSError:
        pass


def fresh():
    """The records of this group since the last call. Runs what is queued first."""
    global read_to
    if not RECORD:
        return []
    wait()
    try:
        with open(RECORD, "rb") as file:
            file.seek(read_to)
            text = file.read()
    except FileNotFoundError:
        return []
    # Another process may be in the middle of a line.
    text = text[: text.rfind(b"\n") + 1]
    read_to += len(text)
    found = []
    for line in text.splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            continue  # A process was killed while it wrote this line.
        if record.get("group") == GROUP:
            found.append(record)
    return found


def errors(records):
    """The reports of all findings that are no notes."""
    return [text for is_note, text in reports(records) if not is_note]


def reports(records):
    """Each finding and each launch that stopped: whether it is a note, and its text."""
    found = []
    for record in records:
        if finding := record.get("finding"):
            is_note = finding["is_hint"] or finding["finding"]["severity"] != "error"
            found.append((is_note, finding["text"]))
        if stopped := record.get("stopped"):
            found.append((False, f"`{stopped['kernel']}` stopped: {stopped['why']}"))
    return found
