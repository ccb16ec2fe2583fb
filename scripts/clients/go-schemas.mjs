// Converts the schemas of openapi.json to a form that oapi-codegen accepts for Go.
import { queryOf, setByFollow } from './methods.mjs';
import { parameterNamesOf, setByMethodsOf } from './surface.mjs';

const refName = ({ $ref }) => $ref.split('/').at(-1);
const goName = (name) => name.replace(/Api(?=[A-Z])/g, 'API');
/** Times are strings with a pattern: the date, a T, the time and a zone. */
const isTime = ({ pattern }) => /^\^\[0-9\]\{4\}-.*T.*Z/.test(pattern ?? '');
/** A time of a filter, which may be relative: `7d`. */
const isMoment = ({ pattern }) => new RegExp(pattern).test('7d');
const isNull = ({ type }) => type === 'null';
const hasFields = ({ properties = {} }) => Object.keys(properties).length > 0;

/** Returns a schema without its null, and whether it had one. */
function withoutNull(schema) {
  if (schema.anyOf?.some(isNull)) {
    const rest = schema.anyOf.filter((item) => !isNull(item));
    const { anyOf: _, ...others } = schema;
    return { nullable: true, schema: rest.length === 1 ? { ...rest[0], ...others } : { ...others, anyOf: rest } };
  }
  if (!Array.isArray(schema.type)) return { nullable: false, schema };
  const types = schema.type.filter((type) => type !== 'null');
  return { nullable: types.length < schema.type.length, schema: { ...schema, type: types[0] } };
}

/** Returns the array variant of a schema that accepts either an array or a string of its values. */
const listOf = ({ anyOf }) => anyOf?.find(({ type }) => type === 'array');

/** Converts the schemas that requests and responses refer to. */
class Writer {
  constructor(description) {
    this.schemas = description.components.schemas;
    this.written = {};
    this.responses = new Set();
  }

  resolve = (schema) => (schema.$ref ? this.schemas[refName(schema)] : schema);

  /** Merges several variants of an object into one object with all their fields. */
  merge(shapes, inRequest, name) {
    const objects = shapes.map(this.resolve);
    const properties = {};
    for (const object of objects) {
      for (const [key, property] of Object.entries(object.properties ?? {})) {
        properties[key] = [...(properties[key] ?? []), property];
      }
    }
    const merged = Object.entries(properties).map(([key, found]) => {
      const values = found.map(this.resolve);
      if (found.length > 1 && values.every(({ enum: allowed }) => allowed?.length === 1)) {
        return [key, { $ref: `#/components/schemas/${name.replace(/Creation$/, '')}${key === 'kind' ? 'Kind' : ''}` }];
      }
      if (found.length > 1 && found.every(({ $ref }) => $ref) && values.every(({ type }) => type === 'object')) {
        return [key, { mergedFrom: found, as: name.replace(/(Creation)?$/, (end) => `Config${end}`) }];
      }
      const descriptions = [...new Set(values.map(({ description }) => description).filter(Boolean))];
      return [key, { ...found[0], ...(descriptions.length > 0 && { description: descriptions.join(' Or: ') }) }];
    });
    const required = Object.keys(properties).filter((key) => objects.every((object) => object.required?.includes(key)));
    return { type: 'object', properties: Object.fromEntries(merged), required: inRequest ? required : [] };
  }

  /** Returns the Go type of a value. */
  goType(schema, inRequest) {
    if (schema.mergedFrom) {
      this.write(schema.as, this.merge(schema.mergedFrom, inRequest, schema.as), inRequest);
      return schema.as;
    }
    if (schema.$ref) {
      this.write(refName(schema), this.resolve(schema), inRequest);
      return goName(refName(schema));
    }
    const list = listOf(schema);
    if (list) return `${inRequest ? '[]' : 'Values['}${this.goType(list.items, inRequest)}${inRequest ? '' : ']'}`;
    if (schema.type === 'array') return `[]${this.goType(schema.items, inRequest)}`;
    if (isTime(schema)) return inRequest || isMoment(schema) ? 'Timestamp' : 'time.Time';
    if (schema.additionalProperties?.type) return `map[string]${this.goType(schema.additionalProperties, inRequest)}`;
    return { string: 'string', integer: 'int', number: 'float64', boolean: 'bool' }[schema.type] ?? 'any';
  }

  /** Returns the Go type of a field: zero values are not sent, and a nullable field is a pointer or Nullable. */
  fieldType(given, isRequired, inRequest) {
    const { nullable, schema } = withoutNull(given);
    const type = this.goType(schema, inRequest);
    const isList = /^(\[\]|map|Values)/.test(type) || type === 'any';
    if (inRequest && nullable) return `Nullable[${type}]`;
    if (nullable) return isList ? type : `*${type}`;
    if (!inRequest || isRequired || isList) return type;
    const target = this.resolve(schema);
    const hasMeaningfulZero = target.type === 'boolean' && target.default !== false;
    const isObject = schema.mergedFrom !== undefined || target.type === 'object';
    return hasMeaningfulZero || isObject ? `*${type}` : type;
  }

  write(name, schema, inRequest) {
    const written = goName(name);
    if (!inRequest) this.responses.add(written);
    if (this.written[written]) return;
    if (schema.enum) {
      const names = schema.enum.map((value) =>
        value
          .replace(/^-(.*)$/, name.endsWith('Filter') ? 'not_$1' : '$1_descending')
          .replace(/(^|[^a-zA-Z0-9]+)(\w)/g, (_, _gap, letter) => letter.toUpperCase()),
      );
      if (new Set(names).size < names.length) throw new Error(`Two values of ${name} have one name in Go: ${names}`);
      const { description, type } = schema;
      this.written[written] = { description, type, enum: schema.enum, 'x-enum-varnames': names };
      return;
    }
    const variants = schema.oneOf ?? (schema.anyOf?.every(({ $ref }) => $ref) ? schema.anyOf : undefined);
    const object = variants ? { ...schema, ...this.merge(variants, inRequest, name) } : schema;
    this.written[written] = { description: object.description, type: 'object', properties: {}, required: [] };
    const properties = Object.entries(object.properties ?? {}).map(([key, property]) => {
      const configs = property.anyOf?.every(({ $ref }) => $ref) && { mergedFrom: property.anyOf, as: `${name}Config` };
      const isRequired = object.required?.includes(key) ?? false;
      const type = this.fieldType(configs || property, isRequired, inRequest);
      const { description = this.resolve(withoutNull(property).schema)?.description } = property;
      return [key, { description, 'x-go-type': type, 'x-go-type-skip-optional-pointer': true, 'x-order': 0 }];
    });
    this.written[written].properties = Object.fromEntries(
      properties.map(([key, property], index) => [key, { ...property, 'x-order': index + 1 }]),
    );
    this.written[written].required = object.required ?? [];
  }
}

function querySchema(description, operation) {
  const query = queryOf(description, operation);
  return {
    type: 'object',
    properties: Object.fromEntries(
      query.map(({ name, schema, description: text }) => [name, { ...schema, ...(text && { description: text }) }]),
    ),
    required: query.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** Returns a description with schemas only for oapi-codegen, and the names of the response types. */
export function goSchemas(description, surface) {
  const writer = new Writer(description);
  const offered = new Set(
    Object.values(surface.resources).flatMap((methods) => Object.values(methods).map((m) => m.operation)),
  );
  const [parameterNames, setByMethods] = [parameterNamesOf(surface), setByMethodsOf(surface)];
  const operations = Object.values(description.paths).flatMap(Object.values);
  for (const operation of operations.filter(({ operationId }) => operationId && offered.has(operationId))) {
    for (const [status, success] of Object.entries(operation.responses)) {
      if (!status.startsWith('2')) continue;
      const schema = success.content?.['application/json']?.schema;
      const result = schema?.$ref?.endsWith('Page') ? writer.resolve(schema).properties.data.items : schema;
      if (result?.$ref) writer.goType(result, false);
      // Schemas without fields are written by hand: the generator would turn them into maps.
      const events = success.content?.['text/event-stream']?.schema?.anyOf ?? [];
      for (const event of events) if (hasFields(writer.resolve(event))) writer.goType(event, false);
    }
    const body = operation.requestBody?.content?.['application/json']?.schema;
    if (body) writer.goType(body, true);
    const name = parameterNames[operation.operationId];
    if (!name) continue;
    const query = querySchema(description, operation);
    for (const key of setByMethods[operation.operationId] ?? []) delete query.properties[key];
    writer.write(name, { ...query, description: `The parameters of ${operation.operationId}.` }, true);
    if (operation.operationId !== 'listFindings') continue;
    const kept = Object.entries(query.properties).filter(([key]) => !setByFollow.includes(key));
    writer.write('FindingFollowParams', { ...query, properties: Object.fromEntries(kept) }, true);
  }
  writer.goType({ $ref: '#/components/schemas/ErrorDetail' }, false);
  const schemas = Object.fromEntries(Object.entries(writer.written).sort(([a], [b]) => (a < b ? -1 : 1)));
  const { title, version } = description.info;
  return {
    description: { openapi: '3.0.3', info: { title, version }, paths: {}, components: { schemas } },
    responses: writer.responses,
  };
}
