import { severities, severityName } from '@assay/scanner/contract/severity.ts';
import type { Static } from 'typebox';
import { defineRoute } from '../../context.ts';
import { readBulkDecision } from '../../findings/decision-input.ts';
import { readFilters } from '../../findings/filters/read.ts';
import { statuses } from '../../findings/lifecycle.ts';
import { auditActor } from '../../organization/audit.ts';
import { invalid } from '../../platform/errors.ts';
import type { Actor } from '../../platform/http/actor.ts';
import { waitAsPreferred } from '../../platform/http/prefer.ts';
import { RawJson } from '../../platform/http/raw-json.ts';
import { autocommit, type Db } from '../../platform/postgres/database.ts';
import { formatTime, readTime } from '../../platform/times.ts';
import {
  acceptedExample,
  BulkUpdate,
  BulkUpdateResult,
  maxAtOnce,
  operationView,
  resultExample,
} from './bulk-schema.ts';
import { changeOf } from './change.ts';
import { findAsOf, findOperation } from './queries.ts';
import { conflictsOf, listSamples, listSelected, type SelectionCount, withCandidates } from './selection.ts';
import { type BulkRequest, measureSelection, requireFindings, updateFindings } from './update-findings.ts';

const maxSamples = 10;

/** Reads a bulk update. Throws 400 for an invalid decision or invalid filters. */
async function readRequest(tx: Db, actor: Actor, body: Static<typeof BulkUpdate>): Promise<BulkRequest & { at: Date }> {
  const {
    ids,
    versions,
    filter,
    dry_run: _,
    as_of,
    expected_count,
    ...input
  } = {
    ids: undefined,
    versions: undefined,
    filter: undefined,
    ...body,
  };
  if (Object.keys(input).length === 0)
    throw invalid('body', 'status', 'set something: status, tags, add_tags, remove_tags, assignee or comment');
  const refuse = (field: string, message: string) => invalid('body', `filter.${field}`, message);
  const chosen = ids ? [...new Set(ids)] : null;
  for (const id of Object.keys(versions ?? {}))
    if (!chosen?.includes(id)) throw invalid('body', `versions.${id}`, 'must be one of `ids`');
  const decision = await readBulkDecision(tx, actor.orgId, input);
  const { bound, at } = await findAsOf(tx, as_of === undefined ? null : readTime(as_of));
  return {
    selection: {
      ids: chosen,
      versions: versions && chosen ? chosen.map((id) => versions[id] ?? null) : null,
      filters: filter ? await readFilters(tx, actor, filter, { refuse, now: at }) : {},
      asOf: bound,
    },
    filter: filter ?? null,
    change: changeOf(input, decision),
    decision,
    expectedCount: expected_count,
    at,
  };
}

const totals = <Name extends string>(
  names: readonly Name[],
  counts: SelectionCount[],
  of: (row: SelectionCount) => string,
) =>
  Object.fromEntries(
    names.map((name) => [name, counts.filter((row) => of(row) === name).reduce((sum, row) => sum + row.count, 0)]),
  );

/** Returns the outcome of an update as JSON text: the database returns the samples as text. */
async function preview(tx: Db, orgId: string, request: BulkRequest & { at: Date }): Promise<RawJson> {
  await requireFindings(tx, orgId, request.selection.ids);
  const { counts, matched, unchanged } = await measureSelection(tx, orgId, request);
  const { selection } = request;
  const conflicts = selection.ids ? conflictsOf(selection, await listSelected(tx, orgId, selection)) : [];
  const samples = await listSamples(tx, orgId, selection, maxSamples);
  const figures = JSON.stringify({
    updated: 0,
    operation: null,
    matched,
    unchanged,
    conflicts,
    as_of: formatTime(request.at),
    by_severity: totals(severities, counts, ({ severity }) => severityName(severity)),
    by_status: totals(statuses, counts, ({ status }) => status),
  });
  return new RawJson(`${figures.slice(0, -1)},"samples":[${samples.join(',')}]}`);
}

export const updateRoute = defineRoute({
  method: 'PATCH',
  path: '/findings',
  operationId: 'updateFindings',
  tag: 'Findings',
  summary: 'Update many findings',
  description: `Sets the same on many findings, given by \`ids\` or selected by \`filter\` (one of the two). If one id is unknown, nothing is updated and the status is 404. With \`versions\`, those that somebody changed since are left out and returned as \`conflicts\`. Up to ${maxAtOnce.toLocaleString('en')} findings are updated in one transaction; more are updated by a job: 202, with the operation to follow (\`Prefer: wait\` waits for it). The statuses \`false_positive\` and \`accepted_risk\` make a decision about each finding, as for a single one. Every update can be undone for a day.

To see first what will happen, send it with \`dry_run\`; then send it with the \`as_of\` and, as \`expected_count\`, the \`matched\` of the response. With \`as_of\`, the update changes the findings that match the filters when it comes to them and that nobody and no scan has created or changed after that time, to the second. Without it, the time of the request counts: an update never changes a finding that was changed after the request.`,
  extension: true,
  permission: { role: 'analyst', scope: 'findings:write' },
  takesKey: true,
  waits: true,
  bodyLimit: 256 * 1024,
  body: BulkUpdate,
  requestExample: { filter: { rule: ['generic-password'], status: ['new'] }, status: 'triaged', add_tags: ['q3'] },
  responses: {
    200: {
      schema: BulkUpdateResult,
      description: 'The number of findings that changed or, in a dry run, would change.',
      example: resultExample,
    },
    202: {
      schema: BulkUpdateResult,
      description: 'A job updates the findings.',
      example: acceptedExample,
      headers: { Location: 'The URL of the operation.' },
    },
  },
  errors: ['not_found', 'conflict'],
  handler: async ({ actor, body, request, reply, context, transaction }) => {
    const { orgId, userId } = actor;
    const result = await transaction(async (tx) => {
      const read = await readRequest(tx, actor, body);
      const given = { ...read, selection: await withCandidates(context.columns, orgId, read.selection) };
      if (body.dry_run) return preview(tx, orgId, given);
      const outcome = await updateFindings(tx, { orgId, userId, audit: auditActor(actor) }, given);
      const { operationId, ...figures } = outcome;
      const operation = operationId === null ? null : operationView((await findOperation(tx, orgId, operationId))!);
      const empty = { by_severity: null, by_status: null, samples: null };
      return { ...figures, operation, as_of: operation?.as_of ?? formatTime(given.at), ...empty };
    });
    if (result instanceof RawJson || result.operation?.status !== 'queued') return result;
    const { id } = result.operation;
    reply.code(202).header('location', `/api/v1/bulk-operations/${id}`);
    const readOperation = async () =>
      operationView((await findOperation(autocommit(context.database, orgId), orgId, id))!);
    const operation = await waitAsPreferred(
      request,
      reply,
      result.operation,
      readOperation,
      ({ completed_at }) => completed_at !== null,
    );
    return { ...result, operation, updated: operation.updated };
  },
});
