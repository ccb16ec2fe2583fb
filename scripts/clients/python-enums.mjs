// Converts the enumerations of openapi.json to Python.

/** Names a member: the sort `-severity` is SEVERITY_DESCENDING, the filter `-info` NOT_INFO, `in_progress` IN_PROGRESS. */
const memberName = (name, value) =>
  value
    .replace(/^-(.*)$/, name.endsWith('Filter') ? 'not_$1' : '$1_descending')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();

const isEnumeration = ([, schema]) => schema.enum?.length > 1 && schema.type === 'string';

function classOf([name, { enum: values, description }]) {
  const members = values.map((value) => `    ${memberName(name, value)} = ${JSON.stringify(value)}`);
  const text = (description ?? `The values of \`${name}\``).replace(/\.?$/, '.');
  return `class ${name}(TextEnum):\n    """\n    ${text}\n    """\n\n${members.join('\n')}\n`;
}

/** Returns the module `assay.enums`. */
export function pythonEnums(description) {
  const found = Object.entries(description.components.schemas).filter(isEnumeration);
  const sorted = found.sort(([a], [b]) => (a < b ? -1 : 1));
  const names = sorted.map(([name]) => `    "${name}",\n`).join('');
  return `# Generated from openapi.json by scripts/generate-clients.mjs. Do not edit.
"""The values that this version of the library knows. Each is a text: \`Severity.HIGH == "high"\`."""

from ._enum import TextEnum

__all__ = [\n${names}]


${sorted.map(classOf).join('\n\n')}`;
}
