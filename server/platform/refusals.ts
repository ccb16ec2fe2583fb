import type { FastifyRequest } from 'fastify';
import type { ApiError } from './errors.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** Longer than ids, shorter than tokens. */
const maxSegmentLength = 40;
const maxPathLength = 300;

/**
 * Returns the path of a request for the log, without the query, which contains search terms. Segments long enough for
 * a secret are removed.
 */
export function loggedPath(request: FastifyRequest): string {
  const path = (request.raw.url ?? '').split('?', 1)[0]!;
  const segments = path.split('/').map((segment) => (segment.length > maxSegmentLength ? '…' : segment));
  return segments.join('/').slice(0, maxPathLength);
}

/** Returns whether the path of a route contains the id of a resource. */
const namesTarget = (request: FastifyRequest) => request.routeOptions.config?.definition?.path.includes('{') ?? false;

/** Reasons that are counted from the start, so that even the first refusal is a change of the counter. */
const usualReasons = {
  credentials: ['malformed', 'unknown', 'revoked', 'expired', 'session_ended', 'metrics_token'],
  actions: ['forbidden', 'insufficient_scope', 'session_required', 'recent_sign_in_required', 'not_found'],
};

/**
 * Returns the function that logs and counts refusals. It is called with each failed request: invalid credentials,
 * actions that the caller may not perform, and resources that don't exist or belong to another organization. `path`
 * is the target. Requests without a credential are not attempts.
 */
export function createRefusalLog(log: Log, metrics: Metrics): (request: FastifyRequest, failure: ApiError) => void {
  const credentials = metrics.counter('refused_credentials_total', 'API tokens and sessions that were refused.', [
    'reason',
  ]);
  const actions = metrics.counter('refused_actions_total', 'Requests for what the caller may not do or see.', [
    'reason',
  ]);
  for (const reason of usualReasons.credentials) credentials.inc({ reason }, 0);
  for (const reason of usualReasons.actions) actions.inc({ reason }, 0);
  return (request, failure) => {
    const { actor } = request;
    const definition = request.routeOptions.config?.definition;
    const line = {
      requestId: request.id,
      address: request.ip,
      method: request.method,
      path: loggedPath(request),
      operation: definition?.operationId ?? 'none',
      code: failure.code,
      ...failure.facts,
    };
    if (actor === null && failure.facts !== undefined) {
      const reason = String(failure.facts.reason);
      credentials.inc({ reason });
      log[reason === 'session_ended' ? 'info' : 'warn'](line, 'refused credential');
      return;
    }
    const isHidden = actor !== null && failure.status === 404 && namesTarget(request);
    if (failure.status !== 403 && !isHidden) return;
    actions.inc({ reason: failure.code });
    const { orgId, userId, credentialId, role } = actor ?? {};
    const caller = { orgId, userId, credentialId, role };
    log[isHidden ? 'info' : 'warn']({ ...line, ...caller, needs: definition?.permission }, 'refused action');
  };
}
