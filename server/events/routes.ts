import Type from 'typebox';
import { defineRoute } from '../context.ts';
import { ApiError, invalid } from '../platform/errors.ts';

const scopesOfEvents = ['findings:read', 'scans:read', 'reports:read'];

/** Returns the position from which a client resumes; null for a new one. Throws 400 for what no stream has sent. */
function readPosition(header: string | string[] | undefined): string | null {
  if (header === undefined || header === '') return null;
  if (typeof header === 'string' && /^\d{1,17}$/.test(header)) return header;
  throw invalid('header', 'Last-Event-ID', 'must be the id of an event of this stream. Connect without it');
}

const stream = defineRoute({
  method: 'GET',
  path: '/events',
  operationId: 'streamEvents',
  tag: 'Events',
  summary: 'Follow the organization',
  description: `Server-sent events of everything that happens in the organization; one connection serves a whole console. Each event has as its data:

- \`scan\` (scope \`scans:read\`): a scan, imports included, without its lists: \`id\`, \`source\`, \`status\`, \`trigger\`, \`requested_by\`, \`progress\`, \`findings\`, \`error_count\`, \`warning_count\` and times.
- \`report\` (\`reports:read\`): \`id\`, \`title\`, \`status\`, \`error\`, \`scheduled_report_id\` and times.
- \`bulk_operation\` (\`findings:read\`): the bulk operation.
- \`findings\` (\`findings:read\`): \`{"created": 12, "changed": 3, "at_least": false}\`, how many findings are new and how many others changed since the last such event. With \`at_least\`, there were more.
- \`reset\`: too much was missed. Load again what you show.

A new connection first gets the unfinished scans, reports and bulk operations. The states of one second are sent as one, and the same state may come twice. After an interruption event sources send \`Last-Event-ID\` by themselves and get what they have missed in up to an hour. A token with scopes gets the events that its scopes allow, and needs one of them. Streams end within a second when the token or session is revoked or its role changes, and after 15 minutes. A token may have 20 streams open, a session 5; more are 429.`,
  extension: true,
  permission: 'authenticated',
  responses: {
    200: {
      content: { 'text/event-stream': Type.String({ description: 'Server-sent events, as HTML defines them.' }) },
      description: 'The events.',
    },
  },
  errors: ['insufficient_scope'],
  handler: async ({ actor, request, context, reply }) => {
    const { orgId, scopes } = actor;
    if (scopes !== null && !scopesOfEvents.some((scope) => scopes.includes(scope))) {
      throw new ApiError('insufficient_scope', `This token needs one of the scopes ${scopesOfEvents.join(', ')}.`);
    }
    const position = readPosition(request.headers['last-event-id']);
    reply.type('text/event-stream').header('x-accel-buffering', 'no');
    return context.eventFeeds.follow(orgId, scopes, position);
  },
});

export const eventRoutes = [stream];
