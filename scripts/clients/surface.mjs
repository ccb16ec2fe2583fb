// Reads the API of the client libraries (surface.json) and the operations of openapi.json.
import { readFile } from 'node:fs/promises';

const root = new URL('../../', import.meta.url);
const readJson = async (path) => JSON.parse(await readFile(new URL(path, root), 'utf8'));

export const readSurface = () => readJson('clients/conformance/surface.json');
export const readDescription = () => readJson('openapi.json');

/** Returns the operations of the description by id, each with its method and path. */
export function operationsOf(description) {
  const operations = {};
  for (const [path, item] of Object.entries(description.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (operation.operationId)
        operations[operation.operationId] = { path, method: method.toUpperCase(), ...operation };
    }
  }
  return operations;
}

/** Returns the methods of the surface: `[resource, method, its entry in surface.json]`. */
export const methodsOf = (surface) =>
  Object.entries(surface.resources).flatMap(([resource, methods]) =>
    Object.entries(methods).map(([method, entry]) => [resource, method, entry]),
  );

/** Returns the names of the query parameters' types, by operation. */
export const parameterNamesOf = (surface) =>
  Object.fromEntries(
    methodsOf(surface)
      .filter(([, , { params }]) => params)
      .map(([, , { operation, params }]) => [operation, params]),
  );

/** Returns the query parameters that methods set themselves, by operation. */
export const setByMethodsOf = (surface) =>
  Object.fromEntries(
    methodsOf(surface)
      .filter(([, , { sets, params }]) => sets && params)
      .map(([, , { operation, sets }]) => [operation, Object.keys(sets)]),
  );

/** Returns sentences about differences between surface.json and the description. */
export function explainSurface(surface, description) {
  const operations = operationsOf(description);
  const offered = new Set(methodsOf(surface).map(([, , { operation }]) => operation));
  const uses = methodsOf(surface).map(([, , entry]) => entry.operation ?? entry.uses);
  const known = new Set([...offered, ...Object.keys(surface.omitted)]);
  const file = 'clients/conformance/surface.json';
  return [
    ...Object.keys(operations)
      .filter((id) => !known.has(id))
      .map((id) => `${id}: add the method that offers it to ${file}, or the reason under "omitted".`),
    ...[...uses, ...Object.keys(surface.omitted)]
      .filter((id) => !(id in operations))
      .map((id) => `${id}: ${file} names it, but openapi.json does not have it.`),
    ...Object.keys(surface.resources)
      .filter((resource) => !(resource in surface.about))
      .map((resource) => `${resource}: say under "about" in ${file} what it is.`),
    ...methodsOf(surface)
      .filter(([, , { operation, params, arguments: given }]) => {
        const takesQuery = operation in operations && !operations[operation].requestBody?.content?.['application/json'];
        return given.includes('params') && takesQuery && !params;
      })
      .map(([resource, method]) => `${resource}.${method}: name the type of its parameters in ${file} ("params").`),
  ];
}
