import Type from 'typebox';
import { Scan } from '../detection/scans/scan-schema.ts';
import { BulkOperation } from '../findings/bulk/bulk-schema.ts';
import { maxListed } from '../findings/figures/count-changed.ts';
import { idOf, time } from '../platform/http/schema.ts';
import { Report } from '../reports/report-schema.ts';

const { data_sources: _sources, errors: _errors, warnings: _warnings, ...scan } = Scan.properties;

const ScanEvent = Type.Object(
  { ...scan, error_count: Type.Integer({ minimum: 0 }), warning_count: Type.Integer({ minimum: 0 }) },
  { $id: 'ScanEvent', description: 'Data of `scan`: a scan, imports included, without its lists.' },
);

const { id, title, status, error, scheduled_report_id, created_at, completed_at } = Report.properties;

const ReportEvent = Type.Object(
  { id, title, status, error, scheduled_report_id, created_at, completed_at },
  { $id: 'ReportEvent', description: 'Data of `report`: a report without its figures.' },
);

const FindingsEvent = Type.Object(
  {
    created: Type.Integer({ minimum: 0, description: 'Findings that are new since the last such event.' }),
    changed: Type.Integer({ minimum: 0, description: 'Others that changed since then.' }),
    at_least: Type.Boolean({ description: 'Whether there were more.' }),
    since: time('All these changes happened in this second or later: `updated_from` of the list finds them.'),
    ids: Type.Array(idOf('fnd'), {
      maxItems: maxListed,
      description: `The findings that changed after they were first seen, at most ${maxListed}: with so many, load again what you show.`,
    }),
  },
  { $id: 'FindingsEvent', description: 'Data of `findings`.' },
);

const ResetEvent = Type.Object(
  {},
  { $id: 'ResetEvent', description: 'Data of `reset`: too much was missed. Load again what you show.' },
);

/** The data of the events of an organization. */
export const EventData = Type.Union([ScanEvent, ReportEvent, BulkOperation, FindingsEvent, ResetEvent], {
  description:
    'Server-sent events, as HTML defines them. This is the JSON in their `data`: that of `scan`, `report`, `bulk_operation`, `findings` or `reset`, as `event` says.',
});
