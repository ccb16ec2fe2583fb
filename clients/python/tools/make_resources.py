"""Generates the resources of the asynchronous client, and `assay.resources`, from surface.json and openapi.json."""

from __future__ import annotations

import re
import textwrap
from typing import Any

from make_schemas import Schema, operations_of, ref_name

HEAD = """from __future__ import annotations

from typing import TYPE_CHECKING

from .. import types
from .._page import AsyncList
from .._request import Request
from .._settings import RequestOptions
from . import _bases
from ._content import AsyncContent
from ._resource import AsyncResource
from ._sender import AsyncSender

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .. import params as p
"""


def pascal(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def third_person(summary: str) -> str:
    """Puts the verb of "Undo a bulk operation" into the third person."""
    return re.sub(r"^\w+", lambda verb: verb[0] + ("es" if re.search(r"(o|s|x|sh|ch)$", verb[0]) else "s"), summary)


def docstring(text: str, indent: str) -> list[str]:
    lines = textwrap.wrap(text, 120 - len(indent) - 3, break_on_hyphens=False)
    if len(lines) == 1 and len(text) + len(indent) + 6 <= 120:
        return [f'{indent}"""{text}"""']
    return [f'{indent}"""', *[f"{indent}{line}" for line in lines], f'{indent}"""']


def schema_of(message: Schema) -> str | None:
    schema = message.get("content", {}).get("application/json", {}).get("schema", {})
    return ref_name(schema["$ref"]) if "$ref" in schema else None


def is_generated(entry: Schema) -> bool:
    """Returns whether the method is generated: streams, uploads and waiting are written by hand (`_bases`)."""
    return "operation" in entry and "file" not in entry["arguments"] and entry.get("returns") != "stream"


def path_of(operation: Schema, ids: list[str]) -> str:
    """Returns the tuple of the path's segments, with arguments for its parameters."""
    places = re.findall(r"\{(\w+)\}", operation["path"])
    segments = [
        ids[places.index(segment[1:-1])] if segment.startswith("{") else f'"{segment}"'
        for segment in operation["path"][1:].split("/")
    ]
    return f"({', '.join(segments)}{',' if len(segments) == 1 else ''})"


def request_of(entry: Schema, operation: Schema, path: str, body: str | None) -> str:
    """Returns the expression that creates the request."""
    given = [f'"{operation["verb"]}"', path]
    if "params" in entry["arguments"]:
        sets = "".join(f', "{name}": {value!r}' for name, value in entry.get("sets", {}).items())
        json = f"{{**params{sets}}}" if sets else "params"
        given.append(f"json={json}" if body else "query=params")
    if entry.get("returns") == "content":
        given.append('accept="*/*"')
    if "once_with" in entry:
        given.append(f'repeatable="{entry["once_with"]}" not in params')
    keyed = any(item.get("$ref", "").endswith("/IdempotencyKey") for item in operation.get("parameters", []))
    if keyed and operation["verb"] != "POST":
        given.append("takes_key=True")
    return f"Request({', '.join(given)})"


def method_of(name: str, entry: Schema, operation: Schema, schemas: Schema) -> str:
    wanted = str(entry.get("status", 2))
    success = next(response for status, response in operation["responses"].items() if status.startswith(wanted))
    body, response = schema_of(operation.get("requestBody", {})), schema_of(success)
    ids = [argument for argument in entry["arguments"] if argument != "params"]
    arguments = ["self", *[f"{id}: str" for id in ids], "*", "options: RequestOptions | None = None"]
    if "params" in entry["arguments"]:
        arguments.append(f"**params: Unpack[p.{body or entry['params']}]")
    path = path_of(operation, ids)
    request = request_of(entry, operation, path, body)
    text = third_person(entry.get("says") or f"{operation['summary']}. {operation['description'].splitlines()[0]}")
    returns = entry.get("returns")
    if returns == "page":
        assert response
        type_ = f"types.{ref_name(schemas[response]['properties']['data']['items']['$ref'])}"
        begin, result = "def", f"AsyncList[{type_}]"
        lines = [f"return self._list({type_}, {path}, params, options)"]
    elif returns == "content":
        begin, result = "async def", "AsyncContent"
        text += " The file is read as it comes: save it, iterate over it, or get its bytes."
        lines = [
            f"request = {request}",
            "return AsyncContent(self._sender, await self._sender.stream(request, options))",
        ]
    elif response:
        begin, result = "async def", f"types.{response}"
        lines = [f"request = {request}", f"return await self._call({result}, request, options)"]
    else:
        begin, result = "async def", "None"
        lines = [f"await self._run({request}, options)"]
    return "\n".join(
        [
            f"    {begin} {name}(",
            *[f"        {argument}," for argument in arguments],
            f"    ) -> {result}:",
            *docstring(text, "        "),
            *[f"        {line}" for line in lines],
        ]
    )


def class_name(resource: str, schemas: Schema) -> str:
    name = pascal(resource.rpartition(".")[2])
    return f"Async{name}{'Resource' if '.' in resource and name in schemas else ''}"


def connection(resources: dict[str, str]) -> list[str]:
    """Returns the attributes of nested resources, and the method that creates them."""
    return [
        "\n".join(f"    {name}: {class_}" for name, class_ in resources.items()),
        "\n".join(
            [
                "    def __init__(self, sender: AsyncSender) -> None:",
                "        super().__init__(sender)",
                *[f"        self.{name} = {class_}(sender)" for name, class_ in resources.items()],
            ]
        ),
    ]


def make_resources(surface: Schema, description: Schema) -> tuple[str, str]:
    """Returns the texts of `assay._async._resources` and `assay.resources`."""
    operations, schemas = operations_of(description), description["components"]["schemas"]
    names = sorted(surface["resources"], key=lambda name: "." not in name)
    classes: dict[str, str] = {name: class_name(name, schemas) for name in names}
    parts = [HEAD]
    for resource in names:
        entries: dict[str, Any] = surface["resources"][resource]
        made = {name: entry for name, entry in entries.items() if is_generated(entry)}
        base = f"_bases.{classes[resource]}Base" if len(made) < len(entries) else "AsyncResource"
        inner = {name.split(".")[1]: class_ for name, class_ in classes.items() if name.startswith(f"{resource}.")}
        # Listed again so that the reference has them beside the others.
        by_hand = [f"    {name} = {base}.{name}" for name in entries if name not in made]
        members = [
            *(connection(inner) if inner else []),
            *(["\n".join(by_hand)] if by_hand else []),
            *[method_of(name, entry, operations[entry["operation"]], schemas) for name, entry in made.items()],
        ]
        head = "\n".join([f"class {classes[resource]}({base}):", *docstring(surface["about"][resource], "    ")])
        parts.append("\n\n".join([head, *members]) + "\n")
    outer = {name: class_ for name, class_ in classes.items() if "." not in name}
    head = 'class AsyncClientResources(AsyncResource):\n    """The resources of a client."""'
    parts.append("\n\n".join([head, *connection(outer)]) + "\n")
    return "\n\n".join(parts), module_of(sorted([*classes.values(), "AsyncClientResources"]))


def module_of(classes: list[str]) -> str:
    """Returns the text of `assay.resources`."""
    plain = [name.removeprefix("Async") for name in classes]

    def imports(module: str, names: list[str]) -> str:
        return f"from .{module}._resources import (\n{''.join(f'    {name},{chr(10)}' for name in names)})\n"

    about = "The resources of the clients: `Assay().findings` is a `Findings`, that of `AsyncAssay` an `AsyncFindings`."
    names = "".join(f'    "{name}",\n' for name in [*classes, *plain])
    return f'"""{about}"""\n\n{imports("_async", classes)}{imports("_sync", plain)}\n__all__ = [\n{names}]\n'
