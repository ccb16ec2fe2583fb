import { openParameters } from './api/summary-parameters.ts';
import { facetParameters, groupOf, listParameters, sortOf } from './features/findings/parameters.ts';
import { daysOf, expiringParameters, shownScans } from './features/overview/parameters.ts';
import { dependsOnMoment, readFilters } from './filters/parameters.ts';
import { paths, publicPaths } from './paths.ts';

type Requests = { first: string[]; next: string[] };

function request(path: string, parameters?: object): string {
  if (parameters === undefined) return `/api/v1/${path}`;
  const texts = Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]);
  return `/api/v1/${path}?${new URLSearchParams(texts)}`;
}

function listRequests(search: Record<string, string>): Requests {
  const filters = readFilters(search);
  const finding = search.open === undefined ? [] : [request(`findings/${encodeURIComponent(search.open)}`)];
  // The page counts hours from the time at which it loads the list, which is not known yet.
  if (dependsOnMoment(filters)) return { first: finding, next: [] };
  const now = Date.now();
  const list = request('findings', listParameters(filters, sortOf(search.sort, filters), now));
  return {
    first: groupOf(search.group) === null ? [list, ...finding] : finding,
    next: [request('findings/facets', facetParameters(filters, now))],
  };
}

/** Whether the organization has any data: if not, the root path leads to the first steps. */
const emptinessRequests = [request('data-sources', { limit: 1 }), request('findings', { fields: ['id'], limit: 1 })];

const overviewRequests = (search: Record<string, string>): Requests => ({
  first: [
    request('findings/summary', openParameters(daysOf(search.days))),
    ...(search.view === 'stand' ? [request('findings', expiringParameters(Date.now()))] : []),
    ...(search.view === 'changed' ? [request('scans', shownScans)] : []),
  ],
  next: [],
});

function pageRequests(path: string, search: Record<string, string>): Requests {
  if (path === '/') return { first: emptinessRequests, next: overviewRequests(search).first };
  if (path === paths.overview) return overviewRequests(search);
  if (path === paths.findings) return listRequests(search);
  if (path.startsWith(`${paths.findings}/`)) return { first: [request(path.slice(1))], next: [] };
  return { first: [], next: [] };
}

/**
 * Returns the requests that a page of the console makes first, and those that can wait for their responses. They must
 * match the page's own requests exactly: otherwise the page sends its own, and the early ones are wasted.
 */
export function firstRequests(path: string, search: Record<string, string>): Requests {
  if (publicPaths.includes(path)) return { first: [], next: [] };
  const { first, next } = pageRequests(path, search);
  return { first: [request('profile'), request('profile/preferences'), ...first], next };
}
