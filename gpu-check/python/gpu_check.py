"""Shows the reports of a cell's launches below the cell: `%load_ext gpu_check`, in a notebook or IPython under gpu-check."""

import atexit
import contextlib
import os
import sys
import tempfile

import gpu_check_records as records

HOW_TO_START = {
    "en": "gpu_check: this Python does not run under gpu-check, so nothing is checked. Start it with "
    "`gpu-check -- ipython` or `gpu-check -- jupyter lab`.",
    "es": "gpu_check: este Python no se ejecuta con gpu-check, así que no se comprueba nada. Inícialo con "
    "`gpu-check -- ipython` o `gpu-check -- jupyter lab`.",
}


class Cells:
    """Gives each cell a file with its source. Line information names that file, and reports take their lines from it."""

    def __init__(self, shell):
        self.shell = shell
        self.name_of = shell.compile.get_code_name
        # The command removes this folder at its end.
        self.folder = tempfile.mkdtemp(prefix="cells-", dir=os.path.dirname(records.RECORD))
        atexit.register(self.remove_files)
        self.written = []
        self.titles = {}
        shell.compile.get_code_name = self.get_code_name
        shell.events.register("post_run_cell", self.show)

    def get_code_name(self, raw_code, transformed_code, number):
        name = self.name_of(raw_code, transformed_code, number)
        if not os.path.isabs(name):
            # `<ipython-input-1-...>`. A notebook's kernel gives the path of a file, which it writes only for its
            # debugger.
            name = os.path.join(self.folder, name.strip("<>") + ".py")
        if not os.path.exists(name):
            try:
                os.makedirs(os.path.dirname(name), exist_ok=True)
                with open(name, "w", encoding="utf-8") as file:
                    file.write(transformed_code)
                self.written.append(name)
            except OSError:
                pass  # Reports of this cell have no source lines then.
        self.titles[name] = f"In[{number}]"
        return name

    def show(self, _result=None):
        for _, text in records.reports(records.fresh()):
            for name, title in self.titles.items():
                text = text.replace(name, title)
            print(text.rstrip() + "\n", file=sys.stderr)

    def remove_files(self):
        for name in self.written:
            with contextlib.suppress(OSError):
                os.remove(name)
                os.rmdir(os.path.dirname(name))  # Fails while it has other files.

    def stop(self):
        self.shell.compile.get_code_name = self.name_of
        self.shell.events.unregister("post_run_cell", self.show)


cells = None


def load_ipython_extension(shell):
    global cells
    if not records.RECORD:
        spoken = os.environ.get("LESSON_LANG") or os.environ.get("LANG") or "en"
        print(HOW_TO_START["es" if spoken.startswith("es") else "en"], file=sys.stderr)
    elif cells is None:
        records.fresh()
        cells = Cells(shell)


def unload_ipython_extension(_shell):
    global cells
    if cells:
        cells.stop()
    cells = None
