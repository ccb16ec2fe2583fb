"""Prepares the schemas of openapi.json from which the library's types are generated."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

Schema = dict[str, Any]

METHODS = ["get", "post", "put", "patch", "delete"]

# Parameters that `findings.follow` sets itself.
SET_BY_FOLLOW = {"sort", "limit", "next_cursor", "updated_from", "fields"}

CONSTRAINTS = {
    *["pattern", "minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "minimum", "maximum", "examples"],
    *["exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minProperties", "additionalProperties", "discriminator"],
}


def operations_of(description: Schema) -> dict[str, Schema]:
    """Returns the operations by their ids, each with its `verb` and `path`."""
    found = {}
    for path, item in description["paths"].items():
        for method, operation in item.items():
            if method in METHODS and "operationId" in operation:
                found[operation["operationId"]] = {**operation, "verb": method.upper(), "path": path}
    return found


def ref_name(ref: str) -> str:
    return ref.rsplit("/", 1)[-1]


def map_schema(schema: Schema, visit: Callable[[Schema], Schema]) -> Schema:
    """Returns a schema changed by `visit`, from the innermost schemas outwards."""
    mapped = {}
    for key, item in schema.items():
        if key == "properties":
            mapped[key] = {name: map_schema(part, visit) for name, part in item.items()}
        elif key in ("items", "additionalProperties") and isinstance(item, dict):
            mapped[key] = map_schema(item, visit)
        elif key in ("anyOf", "oneOf", "allOf"):
            mapped[key] = [map_schema(part, visit) for part in item]
        else:
            mapped[key] = item
    return visit(mapped)


def target_of(part: Schema, schemas: Schema) -> Schema:
    """Returns the named schema that a part refers to, or the part itself."""
    ref = part.get("$ref", "")
    return schemas[ref_name(ref)] if ref.startswith("#/components/schemas/") else part


def is_value(part: Schema, schemas: Schema) -> bool:
    """Returns whether a schema is a plain value, rather than an object or a choice."""
    schema = target_of(part, schemas)
    kinds = [schema.get("type")] if not isinstance(schema.get("type"), list) else schema["type"]
    if "anyOf" in schema:
        return all(is_value(choice, schemas) for choice in schema["anyOf"])
    if "array" in kinds:
        items = schema["items"]
        return "enum" in target_of(items, schemas) or is_value(items, schemas)
    return kinds[0] is not None and "object" not in kinds and "enum" not in schema


def write_out(part: Any, schemas: Schema) -> Any:
    """Returns a part with plain values written out where they are used, and with all fields of its objects."""
    if isinstance(part, list):
        return [write_out(item, schemas) for item in part]
    if not isinstance(part, dict):
        return part
    target = target_of(part, schemas)
    if target is not part and is_value(target, schemas):
        return {**write_out(target, schemas), **{key: item for key, item in part.items() if key != "$ref"}}
    written = {key: write_out(item, schemas) for key, item in part.items()}
    if "allOf" in written:
        base, own = written.pop("allOf")
        whole = write_out(target_of(base, schemas), schemas)
        written["required"] = [*whole["required"], *own["required"]]
        return {**whole, **written, "properties": {**whole["properties"], **own["properties"]}}
    first, *others = written.get("anyOf", [{}])
    is_plain = isinstance(first.get("type"), str) and "enum" not in first
    if is_plain and [item.get("type") for item in others] == ["null"]:
        del written["anyOf"]
        return {**first, **written, "type": [first["type"], "null"]}
    return written


def written_out(description: Schema) -> Schema:
    """Writes out the plain values that openapi.json only names: the library has types only for objects and choices."""
    components, schemas = description["components"], description["components"]["schemas"]
    kept = {name: schema for name, schema in schemas.items() if not is_value(schema, schemas)}
    return write_out({**description, "components": {**components, "schemas": kept}}, schemas)


def is_time(pattern: str) -> bool:
    return bool(re.search(pattern, "2026-01-31T09:30:00Z")) and not re.search(pattern, "text")


def is_moment(pattern: str) -> bool:
    """Returns whether a pattern is that of a filter's time, which may be relative: `7d`."""
    return is_time(pattern) and bool(re.search(pattern, "7d"))


def loosen(schema: Schema, times: bool) -> Schema:
    """Returns a schema without the constraints that the service checks, and open to values that are added later."""

    def visit(part: Schema) -> Schema:
        kept = {
            key: item
            for key, item in part.items()
            if key not in CONSTRAINTS or (key == "additionalProperties" and isinstance(item, dict))
        }
        values, kind, given = kept.pop("enum", None), kept.pop("type", None), kept.pop("format", None)
        pattern = part.get("pattern", "")
        # A relative time in a response stays in its original form.
        format = "date-time" if is_time(pattern) and (times or not is_moment(pattern)) else given
        if values and len(values) > 1:
            return {**kept, "anyOf": [{"type": "string", "enum": values}, {"type": "string"}]}
        if format == "date-time" and times:
            either: list[Schema] = [{"type": "string"}, {"type": "string", "format": format}]
            nullable = kind == "null" or (isinstance(kind, list) and "null" in kind)
            return {**kept, "anyOf": [*either, {"type": "null"}] if nullable else either}
        if values:
            kept["enum"] = values
        if kind:
            kept["type"] = kind
        if format == "date-time":
            kept["format"] = format
        return kept

    return map_schema(schema, visit)


def closure(roots: Iterable[Schema], schemas: Schema) -> Schema:
    """Returns the schemas that the given ones refer to, directly or through others."""
    found: Schema = {}

    def visit(part: Schema) -> Schema:
        name = ref_name(part["$ref"]) if "$ref" in part else None
        if name and name not in found:
            found[name] = schemas[name]
            map_schema(schemas[name], visit)
        return part

    for root in roots:
        map_schema(root, visit)
    return found


def document_of(schemas: Schema, times: bool) -> Schema:
    loose = {name: loosen(schemas[name], times) for name in sorted(schemas)}
    info = {"title": "Assay", "version": "1"}
    return {"openapi": "3.1.0", "info": info, "paths": {}, "components": {"schemas": loose}}


def resolve(part: Schema, named: Schema) -> Schema:
    return named[ref_name(part["$ref"])] if "$ref" in part else part


def response_schemas(description: Schema) -> Schema:
    """Returns the description of responses. Pages are a class of the library."""
    components = description["components"]
    bodies = [
        content.get("schema", {})
        for id, operation in operations_of(description).items()
        if id != "exportReport"
        for status, response in operation["responses"].items()
        if status.startswith("2")
        for kind, content in resolve(response, components.get("responses", {})).get("content", {}).items()
        if kind in ("application/json", "text/event-stream")
    ]
    found = closure([*bodies, {"$ref": "#/components/schemas/ErrorDetail"}], components["schemas"])
    return document_of({name: schema for name, schema in found.items() if not name.endswith("Page")}, False)


def merge(schema: Schema, schemas: Schema) -> Schema:
    """Merges a body that is one of several objects into one object with all fields: a call passes them by name."""
    if "oneOf" not in schema:
        return schema
    variants = [schemas[ref_name(variant["$ref"])] for variant in schema["oneOf"]]
    properties: dict[str, list[Schema]] = {}
    for variant in variants:
        for name, part in variant["properties"].items():
            present = properties.setdefault(name, [])
            if part not in present:
                present.append(part)

    def type_of(types: list[Schema]) -> Schema:
        if len(types) == 1:
            return types[0]
        if all("enum" in part for part in types):
            return {"type": "string", "enum": [value for part in types for value in part["enum"]]}
        return {"anyOf": types}

    required = [
        name for name in variants[0]["required"] if all(name in variant.get("required", []) for variant in variants)
    ]
    typed = {name: type_of(types) for name, types in properties.items()}
    described = {"description": schema["description"]} if "description" in schema else {}
    return {"type": "object", **described, "required": required, "properties": typed}


def query_schema(parameters: list[Schema]) -> Schema:
    properties = {}
    for parameter in parameters:
        # `from` is a keyword of Python: the library sends `from_` without the underscore.
        key = "from_" if parameter["name"] == "from" else parameter["name"]
        described = {"description": parameter["description"]} if "description" in parameter else {}
        properties[key] = {**parameter["schema"], **described}
    required = [parameter["name"] for parameter in parameters if parameter.get("required")]
    return {"type": "object", "required": required, "properties": properties}


def request_schemas(description: Schema, surface: Schema) -> Schema:
    """Returns the description of the arguments of calls: query parameters and bodies."""
    components = description["components"]
    schemas = components["schemas"]
    entries = [entry for methods in surface["resources"].values() for entry in methods.values()]
    names = {entry["operation"]: entry["params"] for entry in entries if "params" in entry}
    set_by_methods = {entry["operation"]: entry["sets"] for entry in entries if "sets" in entry}
    given: Schema = {}
    for id, operation in operations_of(description).items():
        resolved = [
            resolve(parameter, components.get("parameters", {})) for parameter in operation.get("parameters", [])
        ]
        query = [
            parameter
            for parameter in resolved
            if parameter["in"] == "query" and parameter["name"] not in set_by_methods.get(id, [])
        ]
        if query:
            given[names.get(id, f"{id[0].upper()}{id[1:]}Params")] = query_schema(query)
        if id == "listFindings":
            filters = [parameter for parameter in query if parameter["name"] not in SET_BY_FOLLOW]
            given["FindingFollowParams"] = query_schema(filters)
        body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
        if "$ref" in body:
            given[ref_name(body["$ref"])] = merge(schemas[ref_name(body["$ref"])], schemas)
    return document_of({**closure(given.values(), schemas), **given}, True)


def member_name(name: str, value: str) -> str:
    """Names a member: `-severity` is SEVERITY_DESCENDING, the filter `-info` NOT_INFO, `in_progress` IN_PROGRESS."""
    plain = value
    if value.startswith("-"):
        plain = f"not_{value[1:]}" if name.endswith("Filter") else f"{value[1:]}_descending"
    return re.sub(r"[^A-Za-z0-9]+", "_", plain).upper()


def python_enums(description: Schema) -> str:
    """Returns the module `assay.enums`."""
    schemas = description["components"]["schemas"]
    found = {
        name: schema
        for name, schema in sorted(schemas.items())
        if len(schema.get("enum", [])) > 1 and schema.get("type") == "string"
    }
    names = "".join(f'    "{name}",\n' for name in found)
    head = '"""The values that this version of the library knows. Each is a text: `Severity.HIGH == "high"`."""'
    parts = [f"{head}\n\nfrom ._enum import TextEnum\n\n__all__ = [\n{names}]\n"]
    for name, schema in found.items():
        text = schema.get("description", f"The values of `{name}`").removesuffix(".")
        members = "\n".join(f'    {member_name(name, value)} = "{value}"' for value in schema["enum"])
        parts.append(f'class {name}(TextEnum):\n    """\n    {text}.\n    """\n\n{members}\n')
    return "\n\n".join(parts)
