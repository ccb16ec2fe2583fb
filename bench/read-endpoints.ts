/** The part of the OpenAPI document that the measurement of an operation needs. */
type Operation = {
  operationId: string;
  parameters?: Array<{ name: string; in: string; required?: boolean }>;
  security?: Array<Record<string, unknown>>;
};
/** A path with its own servers is outside `/api/v1`. */
export type ApiDocument = { paths: Record<string, { servers?: unknown; get?: Operation }> };

export type ReadEndpoint = {
  operationId: string;
  /** The path, with `{id}` if it has one. */
  path: string;
  query: string;
  /** The list that returns an id for the path. */
  idFrom: string | null;
  needsSession: boolean;
  /** Whether the path is outside `/api/v1`. */
  isOutside: boolean;
};

/** The query of a typical call, for operations with one. */
const queries: Record<string, string> = {
  listFindings: 'status=new&severity=high',
  listFindingFacets: 'field=severity,status,source,data_source,rule,tag,assignee',
  listFindingGroups: 'by=rule',
  suggestFindingValues: 'q=sql',
};

/** Lists whose first row is not typical. */
const idQueries: Record<string, string> = { '/findings': 'status=false_positive' };

/** The operations that are not measured here, and why. */
export const excused: Record<string, string> = {
  exportReport: 'An export: `reports` measures it.',
  exportFindings: 'An export, as long as the list.',
  streamScanEvents: 'It stays open for as long as the scan runs.',
  streamEvents: 'It stays open: `streams` measures it.',
};

/**
 * Returns all GET operations of the API for measuring. Throws for an operation that can't be called without further
 * data, so that none is forgotten.
 */
export function readEndpoints({ paths }: ApiDocument): ReadEndpoint[] {
  const endpoints = Object.entries(paths).flatMap(([path, { get, servers }]): ReadEndpoint[] => {
    if (!get || Object.hasOwn(excused, get.operationId)) return [];
    const { operationId, parameters = [], security = [] } = get;
    const query = queries[operationId] ?? '';
    const given = new Set(['id', ...new URLSearchParams(query).keys()]);
    const missing = parameters.filter(({ name, required }) => required && !given.has(name));
    if (missing.length > 0)
      throw new Error(`${operationId} needs ${missing.map(({ name }) => name)}: add it in bench/read-endpoints.ts.`);
    const list = path.includes('/{id}') ? path.slice(0, path.indexOf('/{id}')) : null;
    if (list && !paths[list]?.get) throw new Error(`${operationId}: no list returns its id (bench/read-endpoints.ts).`);
    const idFrom = list && `${list}?limit=1&${idQueries[list] ?? ''}`;
    const needsSession = security.some((scheme) => 'session' in scheme);
    return [{ operationId, path, query, idFrom, needsSession, isOutside: servers !== undefined }];
  });
  return endpoints;
}
