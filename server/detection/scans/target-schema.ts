import Type, { type Static } from 'typebox';
import { DataSourceReference } from '../../data-sources/data-source-schema.ts';
import { enumeration, nullable, page, time } from '../../platform/http/schema.ts';
import { formatTimeOrNull } from '../../platform/times.ts';
import { type TargetRow, targetStatuses } from './list-targets.ts';
import { ScanFindings } from './scan-schema.ts';

const reasons = {
  failed: 'The target failed: what it found stays, and what it did not see may still be there.',
  cancelled: 'The scan was cancelled before the target was done.',
  incomplete: 'Not all of the data source was covered: the warnings say what was left out.',
  not_requested: 'The import did not ask for it: send `close_missing=true` to close what the file no longer reports.',
  overtaken: 'A scan that began later ended first, and has seen a newer state.',
  nothing_missing: 'Everything that was open before was seen again.',
} as const;
type Reason = keyof typeof reasons;

export const ScanTargetStatus = enumeration(targetStatuses, { $id: 'ScanTargetStatus' });

const ClosedNothing = Type.Object(
  {
    code: enumeration(Object.keys(reasons) as Reason[], {
      $id: 'ClosedNothingCode',
      description: Object.entries(reasons)
        .map(([code, words]) => `- \`${code}\`: ${words}`)
        .join('\n'),
    }),
    message: Type.String({ description: 'The same in words.' }),
  },
  { $id: 'ClosedNothing' },
);

export const ScanTarget = Type.Object(
  {
    data_source: DataSourceReference,
    status: ScanTargetStatus,
    progress: Type.Object(
      {
        percent: Type.Integer({ minimum: 0, maximum: 100 }),
        message: nullable(Type.String({ description: 'Its current step.' })),
      },
      { $id: 'ScanTargetProgress' },
    ),
    retry: nullable(
      Type.Object(
        {
          count: Type.Integer({ minimum: 1, description: 'The number of failures so far.' }),
          reason: Type.String({ description: 'Why the last attempt failed.' }),
          at: nullable(time('When the next attempt begins, in UTC to the second; null while it runs.')),
        },
        { $id: 'ScanTargetRetry' },
      ),
      {
        description:
          'Set while a running target waits for its next attempt, because its program was killed, or its host was not reached or was lost; null otherwise.',
      },
    ),
    findings: ScanFindings,
    errors: Type.Array(Type.String(), { description: 'Why the target failed.' }),
    warnings: Type.Array(Type.String(), { description: 'Places that the completed target left out.' }),
    closed_nothing_because: nullable(ClosedNothing, {
      description: 'Why no finding was closed here; null while the target is not done, and when findings were closed.',
    }),
    revision: nullable(Type.String(), { description: 'The commit that it read, of a git repository.' }),
    started_at: nullable(time()),
    completed_at: nullable(time()),
  },
  { $id: 'ScanTarget' },
);
export const ScanTargetPage = page(ScanTarget, 'ScanTarget');

function reasonOf({ status, resolved, closedNothing }: TargetRow): Reason | null {
  if (resolved > 0) return null;
  return status === 'failed' || status === 'cancelled' ? status : closedNothing;
}

function retryOf({ status, retries, retryReason, retryAt }: TargetRow): Static<typeof ScanTarget>['retry'] {
  if (status !== 'running' || retries === 0) return null;
  return { count: retries, reason: retryReason ?? '', at: formatTimeOrNull(retryAt) };
}

export function scanTargetView(row: TargetRow): Static<typeof ScanTarget> {
  const reason = reasonOf(row);
  const ended = row.completedAt !== null;
  return {
    data_source: { id: row.dataSourceId, name: row.dataSourceName, kind: row.dataSourceKind },
    status: row.status,
    progress: { percent: ended ? 100 : Math.min(99, Math.floor(100 * (row.fraction ?? 0))), message: row.message },
    retry: retryOf(row),
    findings: { new: row.new, seen: row.seen, reopened: row.reopened, resolved: row.resolved },
    errors: row.error === null ? [] : [row.error],
    warnings: row.warnings,
    closed_nothing_because: reason && { code: reason, message: reasons[reason] },
    revision: row.revision,
    started_at: formatTimeOrNull(row.startedAt),
    completed_at: formatTimeOrNull(row.completedAt),
  };
}

export const scanTargetExample = {
  data_source: { id: 'ds_01jd3x7k2pfr6v0t9y8n7m6k5j', name: 'payments-api', kind: 'git_repository' },
  status: 'completed',
  progress: { percent: 100, message: null },
  retry: null,
  findings: { new: 3, seen: 20, reopened: 1, resolved: 0 },
  errors: [],
  warnings: [],
  closed_nothing_because: { code: 'nothing_missing', message: reasons.nothing_missing },
  revision: '9fceb02d0ae598e95dc970b74767f19372d61af8',
  started_at: '2026-02-01T02:00:01Z',
  completed_at: '2026-02-01T02:00:07Z',
} as const;
