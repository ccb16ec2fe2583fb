import { ApiError } from '../errors.ts';
import type { RouteDefinition } from './route.ts';

/** `/findings/{id}` as an expression for paths below the prefix. */
function patternOf(path: string): RegExp {
  const source = path
    .split('/')
    .map((part) => (part.startsWith('{') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
  return new RegExp(`^${source.join('/')}/?$`);
}

/** What to answer where no route fits: 405 with `Allow` when the path is known for other methods, 404 otherwise. */
export function createUnknownPath(routes: readonly Pick<RouteDefinition<never>, 'path' | 'method'>[]) {
  const patterns = routes.map((route) => ({ pattern: patternOf(route.path), method: route.method }));
  return (method: string, path: string): ApiError => {
    const allowed = new Set<string>(patterns.filter(({ pattern }) => pattern.test(path)).map((route) => route.method));
    if (allowed.size === 0)
      return new ApiError('not_found', 'There is nothing at this path: see the documentation at /api/v1/docs.');
    if (allowed.has('GET')) allowed.add('HEAD');
    const list = [...allowed].sort().join(', ');
    return new ApiError('method_not_allowed', `${method.slice(0, 20)} is not possible here. Allowed: ${list}.`, {
      headers: { Allow: list },
    });
  };
}
