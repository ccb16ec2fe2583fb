import Type, { type Static } from 'typebox';
import { bulkDecisionProperties } from '../../findings/decision-input.ts';
import { SeverityCounts, StatusCounts } from '../../findings/figures/count-schema.ts';
import { filterProperties } from '../../findings/filters/read.ts';
import { DecisionJustification, Finding, Status } from '../../findings/finding-schema.ts';
import { UserReference } from '../../organization/schema.ts';
import { enumeration, exactlyOne, idOf, nullable, page, time, timeInput } from '../../platform/http/schema.ts';
import { formatTime, formatTimeOrNull } from '../../platform/times.ts';
import { type OperationRow, operationStatuses, undoHours } from './queries.ts';

/** Operations on more findings run as a job. */
export const maxAtOnce = 1000;

const FindingFilter = Type.Object(filterProperties, {
  minProperties: 1,
  $id: 'FindingFilter',
  description: 'All findings that these filters of the list select; several values as an array.',
});

const ids = Type.Array(idOf('fnd'), { minItems: 1, maxItems: maxAtOnce, description: 'Up to 1,000 finding ids.' });

const versions = Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
  maxProperties: maxAtOnce,
  description:
    'The version of each finding that the change was decided on, by id. Findings of another version stay as they are and are `conflicts`. An extension.',
});

const safeguards = {
  dry_run: Type.Optional(
    Type.Boolean({ description: 'With true, nothing is written: the response says what would happen.' }),
  ),
  as_of: Type.Optional(
    timeInput(
      'Changes only findings that were not created or changed after this time, to the second. Give the `as_of` of a dry run, so that nothing is changed that its reader has not seen. A finding must also match the filters when it is changed.',
    ),
  ),
  expected_count: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'The `matched` of a dry run. When another number of findings matches now, nothing is changed: 409.',
    }),
  ),
};

export const BulkUpdate = exactlyOne(
  [
    Type.Object(
      { ids, versions: Type.Optional(versions), ...bulkDecisionProperties, ...safeguards },
      { $id: 'FindingBulkUpdateByIds' },
    ),
    Type.Object(
      { filter: FindingFilter, ...bulkDecisionProperties, ...safeguards },
      { $id: 'FindingBulkUpdateByFilter' },
    ),
  ],
  { $id: 'FindingBulkUpdate', description: 'The findings, by `ids` or by `filter`, and what to set on them.' },
);

const count = (description: string) => Type.Integer({ minimum: 0, description });

const Change = Type.Object(
  {
    status: Type.Optional(Status),
    tags: Type.Optional(Type.Array(Type.String())),
    add_tags: Type.Optional(Type.Array(Type.String())),
    remove_tags: Type.Optional(Type.Array(Type.String())),
    assignee: Type.Optional(nullable(idOf('usr'))),
    comment: Type.Optional(Type.String()),
    accepted_until: Type.Optional(nullable(time())),
    justification: Type.Optional(nullable(DecisionJustification)),
  },
  { $id: 'BulkChange', description: 'The values set on each finding; only the given fields are present.' },
);

export const BulkOperation = Type.Object(
  {
    id: idOf('bulk'),
    status: enumeration(operationStatuses, {
      $id: 'BulkOperationStatus',
      description: '`failed`: it ended early; what it has changed can be undone.',
    }),
    change: Change,
    filter: nullable(Type.Object(filterProperties, { $id: 'BulkOperationFilter' }), {
      description: 'The filters that select the findings; null when they were given by their ids.',
    }),
    as_of: time('Findings that were created or changed after this time are skipped.'),
    requested_by: nullable(UserReference),
    matched: count('Findings that matched at the start.'),
    processed: count('The number of findings processed so far.'),
    updated: count('The number of findings that changed.'),
    unchanged: count('The number of findings that had these values already.'),
    percent: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Progress of the change or, later, of its undoing.',
    }),
    error: nullable(Type.String(), { description: 'Why it failed.' }),
    undoable_until: nullable(time(), { description: 'Until then it can be undone; null when it cannot.' }),
    undo: nullable(
      Type.Object(
        {
          requested_by: nullable(UserReference),
          restored: count('Findings that are as they were before the operation.'),
          passed_over: count(
            'Findings that were changed since the operation, or that the policy lets nobody close alone. They stay as they are.',
          ),
          completed_at: nullable(time()),
        },
        { $id: 'BulkUndo' },
      ),
      { description: 'Null unless a person has undone it.' },
    ),
    created_at: time(),
    completed_at: nullable(time()),
  },
  { $id: 'BulkOperation' },
);

export const BulkOperationPage = page(BulkOperation, 'BulkOperation');

export const BulkUpdateResult = Type.Object(
  {
    updated: Type.Integer({
      description:
        'The number of findings changed so far; those that had these values already are not counted. 0 in a dry run.',
    }),
    operation: nullable(BulkOperation, {
      description: 'The operation, which can be undone; null in a dry run, and when nothing changed.',
    }),
    matched: count('The number of matching findings.'),
    unchanged: count('The number of them that already have these values.'),
    conflicts: Type.Array(idOf('fnd'), {
      maxItems: maxAtOnce,
      description:
        'Ids that stay as they are since their findings were changed: after `as_of`, or since their `versions`.',
    }),
    as_of: time('Later changes are not in these figures. Send it with the real update.'),
    by_severity: nullable(SeverityCounts, { description: 'In a dry run: the matching findings by severity.' }),
    by_status: nullable(StatusCounts, { description: 'In a dry run: the matching findings by status.' }),
    samples: nullable(Type.Array(Finding), {
      description: 'In a dry run: up to ten of the matching findings, the most severe ones first.',
    }),
  },
  { $id: 'FindingBulkUpdateResult' },
);

const isEnded = ({ status }: OperationRow) => status === 'completed' || status === 'failed';

function percentOf(row: OperationRow): number {
  const [done, total] =
    row.status === 'undoing' ? [row.restored + row.skipped, row.updated] : [row.processed, row.matched];
  if (isEnded(row) || row.status === 'undone') return 100;
  return total === 0 ? 0 : Math.min(99, Math.floor((100 * done) / total));
}

function undoableUntil(row: OperationRow): string | null {
  if (!isEnded(row) || row.updated === 0 || row.completedAt === null) return null;
  return formatTime(new Date(row.completedAt.getTime() + undoHours * 3_600_000));
}

export const operationView = (row: OperationRow): Static<typeof BulkOperation> => ({
  id: row.id,
  status: row.status,
  change: row.change,
  filter: row.filter,
  as_of: formatTime(row.asOf),
  requested_by: row.requestedBy,
  matched: row.matched,
  processed: row.processed,
  updated: row.updated,
  unchanged: row.processed - row.updated,
  percent: percentOf(row),
  error: row.error,
  undoable_until: undoableUntil(row),
  undo:
    row.status === 'undoing' || row.status === 'undone'
      ? {
          requested_by: row.undoneBy,
          restored: row.restored,
          passed_over: row.skipped,
          completed_at: formatTimeOrNull(row.undoneAt),
        }
      : null,
  created_at: formatTime(row.createdAt),
  completed_at: formatTimeOrNull(row.completedAt),
});

export const operationExample = {
  id: 'bulk_01jd3q5r8wf0ht6vsx2p9k4m7n',
  status: 'completed',
  change: { status: 'triaged', add_tags: ['q3'] },
  filter: { rule: ['generic-password'], status: ['new'] },
  as_of: '2026-02-02T10:00:00Z',
  requested_by: { id: 'usr_01jd3q5r8wf0ht6vsx2p9k4m7n', name: 'Ada Lovelace' },
  matched: 42,
  processed: 42,
  updated: 42,
  unchanged: 0,
  percent: 100,
  error: null,
  undoable_until: '2026-02-03T10:00:01Z',
  undo: null,
  created_at: '2026-02-02T10:00:00Z',
  completed_at: '2026-02-02T10:00:01Z',
};

export const undoneExample = {
  ...operationExample,
  status: 'undone',
  undoable_until: null,
  undo: {
    requested_by: operationExample.requested_by,
    restored: 41,
    passed_over: 1,
    completed_at: '2026-02-02T11:00:00Z',
  },
};

export const resultExample = {
  updated: 42,
  operation: operationExample,
  matched: 42,
  unchanged: 0,
  conflicts: [],
  as_of: operationExample.as_of,
  by_severity: null,
  by_status: null,
  samples: null,
};

export const acceptedExample = {
  ...resultExample,
  updated: 0,
  matched: 14_302,
  unchanged: 12,
  operation: {
    ...operationExample,
    status: 'queued',
    matched: 14_302,
    processed: 0,
    updated: 0,
    percent: 0,
    undoable_until: null,
    completed_at: null,
  },
};
