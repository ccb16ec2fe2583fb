import { routes } from '../../server/api.ts';
import type { Context } from '../../server/context.ts';
import type { RouteDefinition } from '../../server/platform/http/route.ts';
import type { Application } from './application.ts';
import { undocumented } from './documented.ts';
import type { ApiResponse, Sent } from './exchange.ts';
import type { Furnished } from './furnished.ts';

export type Route = RouteDefinition<Context>;
export { routes };

export const nameOf = (route: Route) => `${route.method} ${route.path}`;
export const hasId = (route: Route) => route.path.includes('{id}');
export const isForSessions = (route: Route) => route.permission === 'session';

/** Path parameters that are not ids, with an existing value. */
const named: Record<string, string> = { type: 'secrets', name: 'kev' };

/** Returns the route's path with the organization's ids, or with `id` in place of each. */
export function pathOf(route: Route, { ids }: Pick<Furnished, 'ids'>, id?: string): string {
  return route.path.replace(/\{(\w+)\}/g, (_, name: string, offset: number) => {
    if (name !== 'id' && !name.endsWith('_id')) {
      if (!named[name]) throw new Error(`${nameOf(route)}: say in requests.ts what {${name}} can be.`);
      return named[name];
    }
    const collection = route.path.slice(0, offset - 1);
    if (!ids[collection]) throw new Error(`${nameOf(route)}: furnished.ts must make one for ${collection}.`);
    return id ?? ids[collection];
  });
}

/** Required parameters of this route. */
export function requiredQuery(route: Route): string {
  const wanted = Object.entries(route.query ?? {}).filter(([, schema]) => !('~optional' in schema));
  type Values = { enum?: string[]; items?: { enum?: string[] } };
  const exampleOf = (schema: Values) => schema.enum?.[0] ?? schema.items?.enum?.[0] ?? 'x';
  return wanted.map(([name, schema]) => `${name}=${exampleOf(schema as Values)}`).join('&');
}

/** Returns a valid body: the route's example. */
export function bodyOf(route: Route): Sent {
  if (route.rawBody) return { raw: '{}', headers: { 'content-type': 'application/json' } };
  if (!route.body) return {};
  if (route.requestExample === undefined) throw new Error(`${nameOf(route)} has no requestExample.`);
  return { json: route.requestExample };
}

export type Caller = { token?: string | null; headers?: Record<string, string> };

/** Returns the credential that the route needs: the owner's token or their console session. */
export const callerOf = (route: Route, { people, session }: Furnished): Caller =>
  isForSessions(route) ? { headers: session } : { token: people.owner.token };

/** Calls a route and collects the differences between the response and its description. */
export async function callRoute(
  app: Application,
  route: Route,
  caller: Caller,
  path: string,
  sent: Sent = {},
): Promise<ApiResponse & { wrong: string[] }> {
  const headers = { ...caller.headers, ...sent.headers };
  const response = await app.call(caller.token ?? null, route.method, path, { ...sent, headers });
  return { ...response, wrong: undocumented(route.method, route.path, response, path.split('?')[1]) };
}
