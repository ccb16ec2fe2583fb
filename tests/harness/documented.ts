import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { apiDocument } from '../../server/processes/api-document.ts';
import type { ApiResponse } from './exchange.ts';

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document, traversed by its own references
type Json = any;

/** The served OpenAPI document. */
export const document: Json = JSON.parse(JSON.stringify(apiDocument()));

/** Resolves a `$ref` at the top of a part of the document. */
export function resolved(part: Json): Json {
  if (!part?.$ref) return part;
  const steps = part.$ref
    .slice(2)
    .split('/')
    .map((step: string) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return resolved(steps.reduce((value: Json, step: string) => value[step], document));
}

// A test file uses each validator a few times: compiling it costs more than running it.
const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } });
addFormats.default(ajv);
ajv.addSchema({ $id: 'document', ...document });
const validators = new Map<string, ValidateFunction>();

function validatorOf(pointer: string): ValidateFunction {
  const known = validators.get(pointer) ?? ajv.compile({ $ref: `document#${pointer}` });
  validators.set(pointer, known);
  return known;
}

const pointerStep = (step: string) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));

/** Returns the pointer to the schema of a response, which many operations may share. */
function schemaPointer(path: string, method: string, status: string, type: string): string {
  const response = document.paths[path][method].responses[status];
  const base = response.$ref?.slice(1) ?? `/paths/${pointerStep(path)}/${method}/responses/${status}`;
  return `${base}/content/${pointerStep(type)}/schema`;
}

/** Returns whether the error is only that a record lacks a field which the parameter `fields` excluded. */
function wasLeftOut({ keyword, instancePath, params }: ErrorObject, chosen: string[]): boolean {
  if (keyword !== 'required' || !/^\/data\/\d+$/.test(instancePath)) return false;
  return chosen.length > 0 && !['id', ...chosen].includes(params.missingProperty);
}

/**
 * Returns the differences between the document and a response to a request with this query: its status, type, headers
 * and body. Empty when it matches.
 */
export function undocumented(method: string, path: string, response: ApiResponse, query = ''): string[] {
  const described = resolved(document.paths[path]?.[method.toLowerCase()]?.responses[response.status]);
  if (!described) return [`status ${response.status} is not described: ${response.text.slice(0, 300)}`];
  const wrong: string[] = [];
  for (const [name, header] of Object.entries<Json>(described.headers ?? {})) {
    if (resolved(header).required && response.headers[name.toLowerCase()] === undefined) wrong.push(`lacks ${name}`);
  }
  const types = Object.keys(described.content ?? {});
  if (types.length === 0) return response.text === '' ? wrong : [...wrong, 'has a body where none is described'];
  const given = String(response.headers['content-type'] ?? '').split(';')[0]!;
  const type = types.find((name) => name.split(';')[0] === given);
  if (!type) return [...wrong, `content type ${given} is not described`];
  if (!/^application\/(vnd\.assay\.\w+\+)?json$/.test(type)) return wrong;
  const validate = validatorOf(schemaPointer(path, method.toLowerCase(), String(response.status), type));
  if (validate(response.body)) return wrong;
  const chosen = new URLSearchParams(query).getAll('fields').flatMap((names) => names.split(','));
  const errors = validate.errors!.filter((error) => !wasLeftOut(error, chosen));
  return errors.length === 0 ? wrong : [...wrong, `body: ${ajv.errorsText(errors)}`];
}
