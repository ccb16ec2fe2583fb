import Type, { type Static } from 'typebox';
import { DataSourceCounts, SeverityCounts, SourceCounts, StatusCounts } from '../findings/figures/count-schema.ts';
import { UserReference } from '../organization/schema.ts';
import { enumeration, idOf, nullable, page, time } from '../platform/http/schema.ts';
import { nameSchema } from '../platform/name.ts';
import { formatTime, formatTimeOrNull } from '../platform/times.ts';
import { compareTo, documentExample, documentFields, documentInput } from './document-schema.ts';
import type { ReportRow } from './queries.ts';
import { defaultDocument, reportStates } from './report-document.ts';
import { ReportFilters, ReportSelection } from './report-filters.ts';
import { reportFormatNames, reportFormats } from './writers/index.ts';

const ReportSummary = Type.Object(
  {
    total: Type.Integer({ minimum: 0 }),
    by_severity: SeverityCounts,
    by_status: StatusCounts,
    by_source: SourceCounts,
    by_data_source: DataSourceCounts,
  },
  { $id: 'ReportSummary' },
);

export const reportTitle = nameSchema('The title on the cover.');

const Step = Type.Object(
  { by: nullable(UserReference), at: time() },
  { $id: 'ReportStep', description: 'A step towards the final report.' },
);

export const Report = Type.Object(
  {
    id: idOf('rpt'),
    title: Type.String(),
    status: enumeration(['pending', 'ready', 'failed'] as const, {
      $id: 'ReportStatus',
      description: '`ready`: the snapshot is taken and never changes.',
    }),
    error: nullable(Type.String({ description: 'Why the report failed.' })),
    filters: ReportSelection,
    ...documentFields,
    compare_to: nullable(compareTo, {
      description: 'The earlier report that figures are compared with; for a scheduled report, its last ready one.',
    }),
    summary: nullable(ReportSummary, { description: 'The figures of the snapshot; null until it is taken.' }),
    snapshot_sha256: nullable(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        description:
          'The SHA-256 of the snapshot, which its documents also name; null until it is taken. `assay report verify` checks a document against it.',
      }),
    ),
    created_by: nullable(UserReference),
    scheduled_report_id: nullable(idOf('srp', 'The scheduled report that created this report.')),
    state: enumeration(reportStates, {
      $id: 'ReportState',
      description: 'A report begins as a `draft`, is `reviewed`, and then `final`. Its documents name the state.',
    }),
    reviewed: nullable(Step, { description: 'The reviewer and the time; null for a draft.' }),
    finalized: nullable(Step, { description: 'The person who made it final, and the time; null until then.' }),
    created_at: time(),
    completed_at: nullable(time('When the snapshot was taken, or failed for the last time.')),
  },
  { $id: 'Report' },
);
export const ReportPage = page(Report, 'Report');

export const ReportCreation = Type.Object(
  {
    title: Type.Optional(reportTitle),
    filters: Type.Optional(ReportFilters),
    ...documentInput,
    compare_to: Type.Optional(nullable(compareTo)),
  },
  { $id: 'ReportCreation' },
);

export const ReportUpdate = Type.Object(
  {
    state: enumeration(reportStates, {
      $id: 'ReportStateChange',
      description:
        'From `draft` to `reviewed`, from `reviewed` to `final` or back to `draft`; an admin also from `final` to `draft`.',
    }),
  },
  { $id: 'ReportUpdate' },
);

const namesOf = (isDocument: boolean): string =>
  reportFormatNames
    .filter((name) => 'isDocument' in reportFormats[name] === isDocument)
    .map((name) => `\`${name}\``)
    .join(', ');

export const ReportFormat = enumeration(reportFormatNames, {
  $id: 'ReportFormat',
  description: `Documents: ${namesOf(true)}. Every finding as a row or an object: ${namesOf(false)}.`,
});

export const reportView = (row: ReportRow): Static<typeof Report> => ({
  id: row.id,
  title: row.title,
  status: row.status,
  error: row.error,
  filters: row.filters,
  template: row.template,
  document: { ...defaultDocument, ...row.document },
  compare_to: row.compareTo,
  summary: row.summary,
  snapshot_sha256: row.snapshotSha256?.toString('hex') ?? null,
  created_by: row.createdBy,
  scheduled_report_id: row.scheduledReportId,
  state: row.state,
  reviewed: row.reviewed,
  finalized: row.finalized,
  created_at: formatTime(row.createdAt),
  completed_at: formatTimeOrNull(row.completedAt),
});

export const reportExample = {
  id: 'rpt_01jd3zb8m9n0p1q2r3s4t5v6w7',
  title: 'Open findings of payments',
  status: 'ready',
  error: null,
  filters: { status: ['new', 'triaged', 'in_progress'], data_source: ['ds_01jd3x7k2pfr6v0t9y8n7m6k5j'] },
  template: 'audit',
  document: documentExample,
  compare_to: null,
  summary: {
    total: 3,
    by_severity: { critical: 1, high: 2, medium: 0, low: 0, info: 0 },
    by_status: { new: 3, triaged: 0, in_progress: 0, resolved: 0, false_positive: 0, accepted_risk: 0 },
    by_source: { secrets: 3 },
    by_data_source: [{ id: 'ds_01jd3x7k2pfr6v0t9y8n7m6k5j', name: 'payments-api', open: 3, total: 3 }],
  },
  snapshot_sha256: '6f1ed002ab5595859014ebf0951522d9c5b0d5d1c7a7ab4a5ac9d5d0a1d3f0ab',
  created_by: { id: 'usr_01jd3x7k2pfr6v0t9y8n7m6k50', name: 'Ada Lovelace' },
  scheduled_report_id: null,
  state: 'reviewed',
  reviewed: { by: { id: 'usr_01jd3x7k2pfr6v0t9y8n7m6k51', name: 'Grace Hopper' }, at: '2026-02-02T08:15:00Z' },
  finalized: null,
  created_at: '2026-02-01T09:30:00Z',
  completed_at: '2026-02-01T09:30:01Z',
} as const;

export const pendingReportExample = {
  ...reportExample,
  status: 'pending',
  state: 'draft',
  reviewed: null,
  summary: null,
  snapshot_sha256: null,
  completed_at: null,
} as const;
