// Expands abbreviations in openapi.json, so that the libraries have types only for objects and enumerations.
const isNull = ({ type }) => type === 'null';

/** Returns the description with plain values inlined, and with objects that have all their fields. */
export function writtenOut(description) {
  const { schemas } = description.components;
  const targetOf = ({ $ref }) => schemas[$ref?.startsWith('#/components/schemas/') ? $ref.split('/').at(-1) : ''];
  const isChoice = (schema) => (targetOf(schema) ?? schema).enum !== undefined;
  const isValue = (schema) => {
    if (schema.$ref) return targetOf(schema) !== undefined && isValue(targetOf(schema));
    if (schema.anyOf) return schema.anyOf.every(isValue);
    if ([schema.type].flat().includes('array')) return isChoice(schema.items) || isValue(schema.items);
    return schema.type !== undefined && schema.type !== 'object' && schema.enum === undefined;
  };
  const write = (part) => {
    if (Array.isArray(part)) return part.map(write);
    if (typeof part !== 'object' || part === null) return part;
    const { $ref, ...place } = part;
    if (targetOf(part) && isValue(part)) return { ...write(targetOf(part)), ...place };
    const written = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, write(value)]));
    if (written.allOf) return extended(written);
    const { anyOf: [first, second, ...more] = [], ...rest } = written;
    const isNullable = second && isNull(second) && more.length === 0 && typeof first.type === 'string' && !first.enum;
    return isNullable ? { ...first, ...rest, type: [first.type, 'null'] } : written;
  };
  const extended = ({ allOf: [base, own], ...rest }) => {
    const { required, properties, ...object } = write(targetOf(base));
    return {
      ...object,
      ...rest,
      required: [...required, ...own.required],
      properties: { ...properties, ...own.properties },
    };
  };
  const kept = Object.entries(schemas).filter(([, schema]) => !isValue(schema));
  const named = kept.map(([name, { examples: _, ...schema }]) => [name, write(schema)]);
  return write({ ...description, components: { ...description.components, schemas: Object.fromEntries(named) } });
}
