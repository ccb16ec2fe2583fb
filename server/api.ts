import type { Context } from './context.ts';
import type { RouteDefinition } from './platform/http/route.ts';

/** Every endpoint of the API, one line a slice. */
export const routes: RouteDefinition<Context>[] = [];
