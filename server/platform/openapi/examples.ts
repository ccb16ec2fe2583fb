import { isDeepStrictEqual } from 'node:util';
import type { TSchema } from 'typebox';
import type { RouteDefinition } from '../http/route.ts';
import { compileShape } from '../http/shape.ts';

/**
 * Returns what is wrong with the examples of a route: each body needs one, and each must match its schema. For tests.
 */
export function checkExamples<Context>(route: RouteDefinition<Context>): string[] {
  const check = (what: string, schema: TSchema | undefined, example: unknown): string[] => {
    if (!schema) return [];
    if (example === undefined) return [`${route.operationId}: ${what} has no example.`];
    const wrong = compileShape(schema, undefined)(example);
    return wrong.map((detail) => `${route.operationId}: ${what}: ${detail.field} ${detail.message}`);
  };
  const responses = Object.entries(route.responses).flatMap(([status, response]) =>
    check(`the response ${status}`, response.schema, response.example),
  );
  return [...check('the request', route.body, route.requestExample), ...responses];
}

type Body = { schema: { $ref?: string }; example?: unknown };
type Message = { content?: Record<string, Body> };
type Operation = { requestBody?: Message; responses: Record<string, Message> };
type Schema = { properties?: Record<string, { items?: { $ref?: string } }>; examples?: unknown[] };

const nameOf = ({ $ref }: { $ref?: string }): string => $ref?.split('/').at(-1) ?? '';

/** Gives an example to a named schema that has none; returns whether the schema's is now this one. */
function share(schema: Schema | undefined, example: unknown): boolean {
  if (schema && schema.examples === undefined) schema.examples = [example];
  return isDeepStrictEqual(schema?.examples, [example]);
}

/**
 * Moves the examples of bodies to the schemas that they are examples of. Those of pages are then left out when they are a
 * page with the example of their items, which readers make by themselves; an example that differs stays with its body.
 */
export function shareExamples(operations: Operation[], schemas: Record<string, Schema>): void {
  const messages = operations.flatMap(({ requestBody = {}, responses }) => [requestBody, ...Object.values(responses)]);
  const bodies = messages
    .flatMap(({ content = {} }) => Object.values(content))
    .filter((body) => body.example !== undefined && body.schema.$ref !== undefined);
  const itemOf = (body: Body): Schema | undefined =>
    schemas[nameOf(schemas[nameOf(body.schema)]?.properties?.data?.items ?? {})];
  for (const body of bodies.filter((one) => !itemOf(one))) {
    if (share(schemas[nameOf(body.schema)], body.example)) delete body.example;
  }
  for (const body of bodies.filter(itemOf)) {
    const { data, next_cursor } = body.example as { data: unknown[]; next_cursor: string | null };
    if (data.length === 1 && next_cursor === null && share(itemOf(body), data[0])) delete body.example;
  }
}
