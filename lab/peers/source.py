"""Downloads the source archive of a package from where pip gets its packages: `source.py NAME VERSION FOLDER`.

pip itself builds a package when it downloads its source, which needs what the package needs."""

import json
import subprocess
import sys
import tarfile
import urllib.parse
import urllib.request

from pip._internal.models.index import PyPI

name, version, folder = sys.argv[1:]
configured = subprocess.run([sys.executable, "-m", "pip", "config", "get", "global.index-url"], capture_output=True)
index = configured.stdout.decode().strip() or PyPI.simple_url
page = urllib.parse.urljoin(index.rstrip("/") + "/", name + "/")
request = urllib.request.Request(page, headers={"Accept": "application/vnd.pypi.simple.v1+json"})
with urllib.request.urlopen(request, timeout=60) as answer:
    files = json.load(answer)["files"]
ending = f"-{version}.tar.gz"
found = next((file["url"] for file in files if file["filename"].endswith(ending)), None)
if found is None:
    sys.exit(f"there is no source archive of {name} {version}")
with urllib.request.urlopen(urllib.parse.urljoin(page, found), timeout=300) as archive:
    tarfile.open(fileobj=archive, mode="r|gz").extractall(folder)
