"""Builds the package from the repository, where what openapi.json determines is not in git.

The package's own source archive holds it already.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

home = Path(__file__).resolve().parent
repository = home.parents[1]
generator = home / "tools" / "make_library.py"


class LicenceHook(MetadataHookInterface):
    """Gives the package the licence of the repository, before its metadata names the file."""

    def update(self, metadata: dict[str, Any]) -> None:
        if generator.exists():
            shutil.copyfile(repository / "LICENSE", home / "LICENSE")


class LibraryHook(BuildHookInterface[Any]):
    """Writes the types, the resources and the synchronous half of the library."""

    def dependencies(self) -> list[str]:
        if not generator.exists():
            return []
        pinned = (home / "tools" / "requirements.txt").read_text().split()
        names = ("datamodel-code-generator==", "unasync==", "setuptools==")
        return [line for line in pinned if line.startswith(names)]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if generator.exists():
            subprocess.run([sys.executable, str(generator)], check=True)
