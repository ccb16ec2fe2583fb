import { ApiError } from '../errors.ts';
import type { RouteDefinition } from './route.ts';

/** Returns the regular expression of a path such as `/findings/{id}`, below the prefix. */
function patternOf(path: string): RegExp {
  const source = path
    .split('/')
    .map((part) => (part.startsWith('{') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
  return new RegExp(`^${source.join('/')}/?$`);
}

export type UnknownPath = {
  /**
   * Returns the error for a path without a route: 405 with `Allow` when the path has other methods, 404 otherwise.
   */
  refuse(method: string, path: string): ApiError;
  /**
   * Returns whether a route with parameters matched the path of another route: `/books/{id}` matches
   * `/books/summary`.
   */
  isTaken(route: Pick<RouteDefinition<never>, 'path'>, path: string): boolean;
};

/** Creates the errors for unknown paths and methods. Paths are relative to the prefix. */
export function createUnknownPath(routes: readonly Pick<RouteDefinition<never>, 'path' | 'method'>[]): UnknownPath {
  const patterns = routes.map((route) => ({ pattern: patternOf(route.path), method: route.method }));
  const plain = new Map<string, Set<string>>();
  for (const { path, method } of routes) {
    if (!path.includes('{')) plain.set(path, (plain.get(path) ?? new Set()).add(method));
  }
  const withoutSlash = (path: string) => path.replace(/(.)\/$/, '$1');
  return {
    isTaken: (route, path) => route.path.includes('{') && plain.has(withoutSlash(path)),
    refuse(method, path) {
      const own = plain.get(withoutSlash(path));
      const fitting = patterns.filter(({ pattern }) => pattern.test(path)).map((route) => route.method);
      const allowed = new Set<string>(own ?? fitting);
      if (allowed.size === 0)
        return new ApiError('not_found', 'There is nothing at this path: see the documentation at /api/v1/docs.');
      if (allowed.has('GET')) allowed.add('HEAD');
      const list = [...allowed].sort().join(', ');
      return new ApiError('method_not_allowed', `${method.slice(0, 20)} is not possible here. Allowed: ${list}.`, {
        headers: { Allow: list },
      });
    },
  };
}
