"""Writes the parts of the library that are not in git: types and resources from openapi.json, and the synchronous half.

    python make_library.py

It writes nothing if everything is current. The package's build runs it too (hatch_build.py).
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from make_resources import make_resources
from make_schemas import python_enums, request_schemas, response_schemas, written_out
from make_sync import make_sync

tools = Path(__file__).resolve().parent
repository = tools.parents[2]
library = tools.parent / "src" / "assay"
inputs = [repository / "openapi.json", repository / "clients" / "conformance" / "surface.json"]

RESOURCES = "_resources.py"

OPTIONS = [
    "--input-file-type",
    "openapi",
    "--target-python-version",
    "3.10",
    "--disable-timestamp",
    "--use-union-operator",
    "--use-standard-collections",
    "--enum-field-as-literal",
    "all",
    "--use-schema-description",
    "--use-field-description",
    "--collapse-root-models",
    "--formatters",
    "builtin",
    "--output-datetime-class",
    "datetime",
]
MODEL_OPTIONS = [
    "--output-model-type",
    "pydantic_v2.BaseModel",
    "--base-class",
    "assay._models.Model",
    "--use-annotated",
]
PARAMETER_OPTIONS = ["--output-model-type", "typing.TypedDict"]


def stamp() -> str:
    """Returns the first line of each file, which names the sources that it is generated from."""
    made = hashlib.sha256()
    by_hand = [path for path in sorted((library / "_async").glob("*.py")) if path.name != RESOURCES]
    for path in [*inputs, *sorted(tools.glob("*.py")), *by_hand]:
        made.update(path.read_bytes())
    made_from = f"openapi.json, surface.json and assay/_async ({made.hexdigest()[:16]})"
    return f"# Made from {made_from} by tools/make_library.py. Do not edit."


def types(folder: Path, name: str, schemas: dict, options: list[str], head: str) -> str:
    # A file named types.py would hide Python's own module from the generator.
    source, target = folder / f"{name}.json", folder / f"made_{name}.py"
    source.write_text(json.dumps(schemas))
    command = [sys.executable, "-m", "datamodel_code_generator", "--input", str(source), "--output", str(target)]
    subprocess.run([*command, *OPTIONS, *options, "--custom-file-header", head], check=True, cwd=folder)
    return target.read_text()


def write(path: Path, text: str) -> None:
    """Replaces the file atomically: another process may be reading it."""
    unfinished = path.with_suffix(f".{os.getpid()}")
    unfinished.write_text(text)
    unfinished.replace(path)


def make_library() -> None:
    head = stamp()
    # The enumerations are written last: they mark everything as current.
    last = library / "enums.py"
    if last.exists() and last.read_text().startswith(head):
        return
    openapi, surface = (json.loads(path.read_text()) for path in inputs)
    description = written_out(openapi)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        write(library / "types.py", types(place, "types", response_schemas(description), MODEL_OPTIONS, head))
        requests = request_schemas(description, surface)
        write(library / "params.py", types(place, "params", requests, PARAMETER_OPTIONS, head))
    resources, module = make_resources(surface, openapi)
    write(library / "_async" / RESOURCES, f"{head}\n{resources}")
    write(library / "resources.py", f"{head}\n{module}")
    made = make_sync(library / "_async")
    for name, text in made.items():
        body = text.removeprefix(f"{head}\n")
        write(library / "_sync" / name, f"{head}\n{body}")
    for old in (library / "_sync").glob("*.py"):
        if old.name not in {*made, "_runtime.py"}:
            old.unlink()
    write(last, f"{head}\n{python_enums(description)}")


if __name__ == "__main__":
    make_library()
