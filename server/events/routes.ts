import Type from 'typebox';
import { defineRoute } from '../context.ts';
import { BulkOperation } from '../decisions/bulk/bulk-schema.ts';
import { Decision } from '../decisions/decision-schema.ts';
import { Scan } from '../detection/scans/scan-schema.ts';
import { maxListed } from '../findings/figures/count-changed.ts';
import { ApiError, invalid } from '../platform/errors.ts';
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

const { id: decisionId, status: decisionStatus, version, origin, outcome } = Decision.properties;

const DecisionEvent = Type.Object(
  { id: decisionId, status: decisionStatus, version, origin, outcome },
  { $id: 'DecisionEvent', description: 'Data of `decision`: a decision or a request without its texts.' },
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
const EventData = Type.Union([ScanEvent, ReportEvent, BulkOperation, DecisionEvent, FindingsEvent, ResetEvent], {
  description:
    'Server-sent events, as HTML defines them. This is the JSON in their `data`: that of `scan`, `report`, `bulk_operation`, `decision`, `findings` or `reset`, as `event` says.',
});

const scopesOfEvents = ['findings:read', 'scans:read', 'reports:read'];

const position = /^\d{1,17}$/;

/** Returns the position in the header; undefined without one. Throws 400 for a position that no stream has sent. */
function readPosition(header: string | string[] | undefined): string | undefined {
  if (header === undefined || header === '') return undefined;
  if (typeof header === 'string' && position.test(header)) return header;
  throw invalid('header', 'Last-Event-ID', 'must be the id of an event of this stream. Connect without it');
}

const stream = defineRoute({
  method: 'GET',
  path: '/events',
  operationId: 'streamEvents',
  tag: 'Events',
  summary: 'Follow the organization',
  description: `Server-sent events of everything that happens in the organization; one connection serves a whole console. Each event has as its data:

- \`scan\` (scope \`scans:read\`): a scan, imports included, without its lists (\`ScanEvent\`).
- \`report\` (\`reports:read\`): a report without its figures (\`ReportEvent\`).
- \`bulk_operation\` (\`findings:read\`): the bulk operation (\`BulkOperation\`).
- \`decision\` (\`findings:read\`): a request or a decision that was made, approved, rejected, withdrawn, changed or has ended (\`DecisionEvent\`). Decisions about one finding that needed no approval are left out.
- \`findings\` (\`findings:read\`): how many findings are new and how many others changed since the last such event, and which changed (\`FindingsEvent\`).
- \`reset\`: too much was missed. Load again what you show.

A new connection first gets the unfinished scans, reports and bulk operations, and nothing that ended before it. The states of one second are sent as one, and the same state may come twice. The \`id\` of an event is the position after it: with it as \`last_event_id\`, or as the header \`Last-Event-ID\`, which event sources send by themselves after an interruption, a connection gets what was missed in up to an hour, also after a restart of the service. A token with scopes gets the events that its scopes allow, and needs one of them. Streams end within a second when the token or session is revoked or its role changes, and after 15 minutes. A token may have 20 streams open, a session 5; more are 429.`,
  extension: true,
  permission: 'authenticated',
  query: {
    last_event_id: Type.Optional(
      Type.String({
        pattern: position.source,
        description: 'The `id` of the last event that you received: the stream continues after it. The header wins.',
      }),
    ),
  },
  responses: {
    200: {
      content: { 'text/event-stream': EventData },
      description: 'The events.',
    },
  },
  errors: ['insufficient_scope'],
  handler: async ({ actor, query, request, context, reply }) => {
    const { orgId, scopes } = actor;
    if (scopes !== null && !scopesOfEvents.some((scope) => scopes.includes(scope))) {
      throw new ApiError('insufficient_scope', `This token needs one of the scopes ${scopesOfEvents.join(', ')}.`);
    }
    // An event source that reconnects has a newer position in its header than in its original address.
    const since = readPosition(request.headers['last-event-id']) ?? query.last_event_id ?? null;
    reply.type('text/event-stream').header('x-accel-buffering', 'no');
    return context.eventFeeds.follow(orgId, scopes, since);
  },
});

export const eventRoutes = [stream];
