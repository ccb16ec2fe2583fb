// Prepares the schemas of responses and the parameters of calls, from which the types of the Python client are generated.
import { operationsOf } from './conformance.mjs';
import { parameterNames, setByMethods } from './parameter-names.mjs';

/** Parameters that following findings sets itself. */
const setByFollow = ['sort', 'limit', 'next_cursor', 'updated_from', 'fields'];

const constraints = new Set([
  ...['pattern', 'minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems', 'minimum', 'maximum', 'examples'],
  ...['exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minProperties', 'additionalProperties', 'discriminator'],
]);

const refName = ($ref) => $ref.split('/').at(-1);
const pascal = (name) => name[0].toUpperCase() + name.slice(1);

const isObject = (value) => typeof value === 'object' && value !== null;

/** Returns a schema changed by `visit`, from the innermost schemas outwards. */
function mapSchema(schema, visit) {
  const inner = (item) => mapSchema(item, visit);
  const mapped = Object.entries(schema).map(([key, item]) => {
    if (key === 'properties') return [key, mapValues(item, inner)];
    if (['items', 'additionalProperties'].includes(key) && isObject(item)) return [key, inner(item)];
    return [key, ['anyOf', 'oneOf', 'allOf'].includes(key) ? item.map(inner) : item];
  });
  return visit(Object.fromEntries(mapped));
}

const mapValues = (values, make) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, make(value)]));

const aTime = '2026-01-31T09:30:00Z';
const isTime = ({ pattern }) => pattern && new RegExp(pattern).test(aTime) && !new RegExp(pattern).test('text');

/** Returns a schema without the constraints that the service checks, and open to values that are added later. */
const loosen = (times) => (schema) =>
  mapSchema(schema, (part) => {
    const kept = Object.entries(part).filter(
      ([key, item]) => !constraints.has(key) || (key === 'additionalProperties' && isObject(item)),
    );
    const { enum: values, type, format: given, ...rest } = Object.fromEntries(kept);
    const format = isTime(part) ? 'date-time' : given;
    if (values?.length > 1) return { ...rest, anyOf: [{ type: 'string', enum: values }, { type: 'string' }] };
    if (format === 'date-time' && times) {
      const either = [{ type: 'string' }, { type: 'string', format }];
      return { ...rest, anyOf: [type].flat().includes('null') ? [...either, { type: 'null' }] : either };
    }
    return {
      ...rest,
      ...(values && { enum: values }),
      ...(type && { type }),
      ...(format === 'date-time' && { format }),
    };
  });

/** Returns the schemas that these refer to, directly or through others. */
function closure(roots, schemas) {
  const found = {};
  const add = (root) =>
    mapSchema(root, (part) => {
      const name = part.$ref && refName(part.$ref);
      if (name && !(name in found)) {
        found[name] = schemas[name];
        add(schemas[name]);
      }
      return part;
    });
  roots.forEach(add);
  return found;
}

const documentOf = (schemas) => ({
  openapi: '3.1.0',
  info: { title: 'Assay', version: '1' },
  paths: {},
  components: { schemas },
});

/** Returns the description of responses. Pages are a class of the library. */
export function responseSchemas(description) {
  const bodies = Object.values(operationsOf(description)).flatMap(({ operationId, responses }) =>
    operationId === 'exportReport'
      ? []
      : Object.entries(responses)
          .filter(([status]) => status.startsWith('2'))
          .map(([, response]) => response.content?.['application/json']?.schema ?? {}),
  );
  const { schemas } = description.components;
  const found = closure([...bodies, { $ref: '#/components/schemas/ErrorDetail' }], schemas);
  const kept = Object.entries(found).filter(([name]) => !name.endsWith('Page'));
  const entries = kept.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, schema]) => [name, loosen(false)(schema)]);
  return documentOf(Object.fromEntries(entries));
}

/** Merges a body that is one of several objects into one object with all fields: a call passes them by name. */
function merge(schema, schemas) {
  if (!schema.oneOf) return schema;
  const variants = schema.oneOf.map(({ $ref }) => schemas[refName($ref)]);
  const properties = {};
  for (const [name, property] of variants.flatMap((variant) => Object.entries(variant.properties))) {
    properties[name] ??= [];
    if (!properties[name].some((present) => JSON.stringify(present) === JSON.stringify(property))) {
      properties[name].push(property);
    }
  }
  const typeOf = ([name, types]) => {
    if (types.length === 1) return [name, types[0]];
    if (types.every((type) => type.enum)) return [name, { type: 'string', enum: types.flatMap((type) => type.enum) }];
    return [name, { anyOf: types }];
  };
  return {
    type: 'object',
    description: schema.description,
    required: variants[0].required.filter((name) => variants.every(({ required = [] }) => required.includes(name))),
    properties: Object.fromEntries(Object.entries(properties).map(typeOf)),
  };
}

function querySchema(parameters, name) {
  const properties = {};
  for (const parameter of parameters) {
    // A keyword of Python: the library sends it without the underscore.
    const key = parameter.name === 'from' ? 'from_' : parameter.name;
    properties[key] = { ...parameter.schema, description: parameter.description };
  }
  const required = parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name);
  return [name, { type: 'object', required, properties }];
}

/** Returns the description of the arguments of calls: query parameters and bodies. */
export function requestSchemas(description) {
  const { schemas, parameters: named } = description.components;
  const resolve = (parameter) => (parameter.$ref ? named[refName(parameter.$ref)] : parameter);
  const given = {};
  for (const [id, operation] of Object.entries(operationsOf(description))) {
    const query = (operation.parameters ?? [])
      .map(resolve)
      .filter((parameter) => parameter.in === 'query' && !setByMethods[id]?.includes(parameter.name));
    if (query.length > 0) {
      const [name, schema] = querySchema(query, parameterNames[id] ?? `${pascal(id)}Params`);
      given[name] = schema;
    }
    if (id === 'listFindings') {
      const filters = query.filter((parameter) => !setByFollow.includes(parameter.name));
      const [name, schema] = querySchema(filters, 'FindingFollowParams');
      given[name] = schema;
    }
    const body = operation.requestBody?.content?.['application/json']?.schema;
    if (body?.$ref) given[refName(body.$ref)] = merge(schemas[refName(body.$ref)], schemas);
  }
  const all = { ...closure(Object.values(given), schemas), ...given };
  const entries = Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1));
  return documentOf(Object.fromEntries(entries.map(([name, schema]) => [name, loosen(true)(schema)])));
}
