"""Generates assay/_sync from assay/_async."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import unasync

HAND_WRITTEN = {"_runtime.py"}


def make_sync(source: Path) -> dict[str, str]:
    """Returns the source of each module of the synchronous client by name."""
    texts = {path.name: path.read_text() for path in sorted(source.glob("*.py")) if path.name not in HAND_WRITTEN}
    names = {name for text in texts.values() for name in re.findall(r"\bAsync(?!Iter|Gener)\w+", text)}
    replacements = {name: name.removeprefix("Async") for name in names}
    replacements |= {"AsyncList": "Page", "aclose": "close", "aiter_bytes": "iter_bytes"}
    made = {}
    with tempfile.TemporaryDirectory() as folder:
        rule = unasync.Rule(folder, folder, replacements)
        for name, text in texts.items():
            # The synchronous client returns values instead of awaitables.
            plain = re.sub(r"Awaitable\[((?:[^\[\]]|\[(?:[^\[\]]|\[[^\[\]]*\])*\])*)\]", r"\1", text)
            plain = re.sub(r"(import [^\n]*)\bAwaitable, ", r"\1", plain)
            plain = plain.replace(
                "The asynchronous client. `assay._sync` is generated from these files.", "The synchronous client."
            )
            path = Path(folder) / name
            path.write_text(plain)
            rule._unasync_file(str(path))
            made[name] = path.read_text()
    return made
