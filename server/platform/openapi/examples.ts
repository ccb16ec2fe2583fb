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
