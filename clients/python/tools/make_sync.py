"""Writes assay/_sync from assay/_async.

make_sync.py SOURCE TARGET
"""

import re
import sys
from pathlib import Path

import unasync

NOTE = "# Generated from {} by scripts/generate-clients.mjs. Do not edit.\n"
HAND_WRITTEN = {"_runtime.py"}

source, target = Path(sys.argv[1]), Path(sys.argv[2])
texts = {path.name: path.read_text() for path in sorted(source.glob("*.py")) if path.name not in HAND_WRITTEN}
names = {name for text in texts.values() for name in re.findall(r"\bAsync(?!Iter|Gener)\w+", text)}
replacements = {name: name.removeprefix("Async") for name in names}
replacements |= {"AsyncList": "Page", "aclose": "close", "aiter_bytes": "iter_bytes"}
rule = unasync.Rule(target.name, target.name, replacements)

for old in target.glob("*.py"):
    if old.name not in HAND_WRITTEN:
        old.unlink()
for name, text in texts.items():
    # The synchronous client returns values instead of awaitables.
    plain = re.sub(r"Awaitable\[((?:[^\[\]]|\[(?:[^\[\]]|\[[^\[\]]*\])*\])*)\]", r"\1", text)
    plain = re.sub(r"(import [^\n]*)\bAwaitable, ", r"\1", plain)
    plain = plain.replace(
        "The asynchronous client. `assay._sync` is generated from these files.", "The synchronous client."
    )
    passage = target / name
    passage.write_text(plain)
    rule._unasync_file(str(passage))
    (target / name).write_text(NOTE.format(f"{source.name}/{name}") + (target / name).read_text())
