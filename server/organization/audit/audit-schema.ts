import Type, { type Static } from 'typebox';
import { enumeration, idOf, nullable, page, time } from '../../platform/http/schema.ts';
import { formatTime } from '../../platform/times.ts';
import { UserReference } from '../schema.ts';
import type { AuditEventRow } from './audit-queries.ts';

const state = (description: string) =>
  nullable(Type.Object({}, { additionalProperties: true, description }), { description });

const AuditActor = Type.Object(
  {
    type: enumeration(['user', 'token', 'system'] as const, {
      $id: 'AuditActorType',
      description: '`system`: the operator at the command line, or the platform itself.',
    }),
    user: nullable(UserReference, { description: 'The person, also behind a token; null for the system.' }),
    token: nullable(Type.Object({ id: idOf('tok'), name: Type.String() }, { $id: 'ApiTokenReference' }), {
      description: 'The API token; null for a console session and for the system.',
    }),
    address: nullable(Type.String({ description: 'The IP address of the client.' })),
  },
  { $id: 'AuditActor' },
);

const AuditTarget = Type.Object(
  {
    id: Type.String({ description: 'The id of what was changed; it may be gone.' }),
    name: nullable(Type.String(), { description: 'The name that it had then.' }),
  },
  { $id: 'AuditTarget' },
);

export const AuditEvent = Type.Object(
  {
    id: idOf('aud'),
    sequence: Type.Integer({ minimum: 1, description: "The position in the organization's chain, without gaps." }),
    occurred_at: time('The time at which the change took effect.'),
    actor: AuditActor,
    action: Type.String({ description: '`noun.verb`; the parameter `action` lists them all.' }),
    target: nullable(AuditTarget),
    before: state('The fields that the change replaced or removed, with their values before it.'),
    after: state('The fields that the change set, with their values after it.'),
    details: Type.Object(
      {},
      { additionalProperties: true, description: 'Circumstances, such as a reason or a count.' },
    ),
    hash: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'SHA-256 of this event and the hash of the one before.',
    }),
  },
  { $id: 'AuditEvent' },
);

export const AuditEventPage = page(AuditEvent, 'AuditEvent');

export const auditEventExample = {
  id: 'aud_01jd3q5r8wf0ht6vsx2p9k4m7n',
  sequence: 42,
  occurred_at: '2026-01-31T09:30:00Z',
  actor: {
    type: 'user',
    user: { id: 'usr_01jd3q5r8wf0ht6vsx2p9k4m7n', name: 'Ada Lovelace' },
    token: null,
    address: '203.0.113.7',
  },
  action: 'member.role_changed',
  target: { id: 'usr_01jd3q9w2fh4rz8k6v5t3m1n0p', name: 'Grace Hopper' },
  before: { role: 'analyst' },
  after: { role: 'admin' },
  details: {},
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
} as const;

const actorType = ({ userId, tokenId }: AuditEventRow) => {
  if (userId === null) return 'system';
  return tokenId === null ? 'user' : 'token';
};

export const auditEventView = (row: AuditEventRow): Static<typeof AuditEvent> => ({
  id: row.id,
  sequence: row.sequence,
  occurred_at: formatTime(row.occurredAt),
  actor: {
    type: actorType(row),
    user: row.userId === null ? null : { id: row.userId, name: row.userName ?? '' },
    token: row.tokenId === null ? null : { id: row.tokenId, name: row.tokenName ?? '' },
    address: row.address,
  },
  action: row.action,
  target: row.targetId === null ? null : { id: row.targetId, name: row.targetName },
  before: row.before,
  after: row.after,
  details: row.details,
  hash: row.hash,
});
