import Type, { type Static } from 'typebox';
import { SeverityCounts } from '../../findings/figures/count-schema.ts';
import { UserReference } from '../../organization/schema.ts';
import { enumeration, idOf, nullable, page, time } from '../../platform/http/schema.ts';
import { formatTime, formatTimeOrNull } from '../../platform/times.ts';
import { type ScanRow, scanStatuses } from './queries.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

const Message = Type.Object(
  { data_source_id: idOf('ds'), data_source_name: Type.String(), message: Type.String() },
  { $id: 'ScanMessage' },
);

export const ScanStatus = enumeration(scanStatuses, {
  $id: 'ScanStatus',
  description: '`partial`: some targets failed, and `errors` names each; the others count.',
});

export const ScanFindings = Type.Object(
  {
    new: count('Seen for the first time.'),
    seen: count('Known and seen again.'),
    reopened: count('Came back after they had been resolved.'),
    resolved: count('Gone.'),
  },
  { $id: 'ScanFindings' },
);

export const Scan = Type.Object(
  {
    id: idOf('scan'),
    source: Type.String({ description: 'Type of the detection source.' }),
    status: ScanStatus,
    trigger: enumeration(['api', 'schedule', 'import'] as const, { $id: 'ScanTrigger' }),
    requested_by: nullable(UserReference),
    data_sources: nullable(Type.Array(idOf('ds')), {
      description: 'Ids of the data sources it was narrowed to; null for all that the source handles.',
    }),
    progress: Type.Object(
      {
        targets_total: count('Data sources that it scans.'),
        targets_done: count('The number of them that have ended.'),
        percent: Type.Integer({ minimum: 0, maximum: 100 }),
        message: nullable(Type.String({ description: 'Its current step.' })),
      },
      { $id: 'ScanProgress' },
    ),
    findings: ScanFindings,
    by_severity: nullable(Type.Object({ before: SeverityCounts, after: SeverityCounts }, { $id: 'ScanSeverities' }), {
      description:
        'The open findings of a completed import’s tools in its data source, before and after. Null for other scans.',
    }),
    kept_closed: nullable(count('Findings that the import does not report and that stay closed.'), {
      description:
        'The number of findings of a completed import’s tools in its data source that it does not report and that stay closed by a decision (`false_positive`). Null for other scans.',
    }),
    tools: Type.Array(Type.Object({ source: Type.String(), version: Type.String() }, { $id: 'ScanTool' }), {
      description:
        'The versions of tools by detection source: of an import, as its file names them; otherwise of the program that ran. Empty while none is known.',
    }),
    errors: Type.Array(Message, { description: 'Targets that failed; nothing is closed there.' }),
    warnings: Type.Array(Message, { description: 'Places that a completed target left out.' }),
    created_at: time(),
    started_at: nullable(time()),
    completed_at: nullable(time()),
  },
  { $id: 'Scan' },
);
export const ScanPage = page(Scan, 'Scan');

export function scanView(row: ScanRow): Static<typeof Scan> {
  const ended = row.completedAt !== null;
  const done = row.targetsDone + row.fraction;
  return {
    id: row.id,
    source: row.source,
    status: row.status,
    trigger: row.trigger,
    requested_by: row.requestedById === null ? null : { id: row.requestedById, name: row.requestedByName ?? '' },
    data_sources: row.dataSourceIds,
    progress: {
      targets_total: row.targets,
      targets_done: row.targetsDone,
      percent: ended ? 100 : row.targets === 0 ? 0 : Math.min(99, Math.floor((100 * done) / row.targets)),
      message: row.message,
    },
    findings: { new: row.new, seen: row.seen, reopened: row.reopened, resolved: row.resolved },
    by_severity: row.openBefore && row.openAfter && { before: row.openBefore, after: row.openAfter },
    kept_closed: row.keptClosed,
    tools: Object.entries(row.toolVersions ?? {}).map(([source, version]) => ({ source, version })),
    errors: row.errors,
    warnings: row.warnings,
    created_at: formatTime(row.createdAt),
    started_at: formatTimeOrNull(row.startedAt),
    completed_at: formatTimeOrNull(row.completedAt),
  };
}

export const scanExample = {
  id: 'scan_01jd3y0c9vf3q8r7s6t5v4w3x2',
  source: 'secrets',
  status: 'queued',
  trigger: 'api',
  requested_by: { id: 'usr_01jd3x5m6n7p8q9r0s1t2v3w4x', name: 'Sam Okafor' },
  data_sources: null,
  progress: { targets_total: 4, targets_done: 0, percent: 0, message: null },
  findings: { new: 0, seen: 0, reopened: 0, resolved: 0 },
  by_severity: null,
  kept_closed: null,
  tools: [],
  errors: [],
  warnings: [],
  created_at: '2026-02-01T02:00:00Z',
  started_at: null,
  completed_at: null,
} as const;

export const endedScanExample = {
  ...scanExample,
  status: 'completed',
  progress: { targets_total: 4, targets_done: 4, percent: 100, message: null },
  findings: { new: 3, seen: 20, reopened: 1, resolved: 2 },
  tools: [{ source: 'secrets', version: '1.0.0' }],
  started_at: '2026-02-01T02:00:01Z',
  completed_at: '2026-02-01T02:00:07Z',
} as const;
