import Type from 'typebox';
import { defineRoute } from '../../context.ts';
import { auditActor } from '../../organization/audit.ts';
import { notFound } from '../../platform/errors.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { idOf, nullable, page, pageParameters, time } from '../../platform/http/schema.ts';
import { isId } from '../../platform/id.ts';
import { nameSchema } from '../../platform/name.ts';
import { formatTime, formatTimeOrNull } from '../../platform/times.ts';
import { changeAccount } from '../account-changes/change-account.ts';
import { recordOwnAccount } from '../account-changes/record-own-account.ts';
import { noticeAccount } from '../account-notices.ts';
import { endFurtherAccess } from '../accounts/end-further-access.ts';
import {
  deletePasskey,
  findPasskey,
  listPasskeys,
  type PasskeyRow,
  updatePasskeyName,
} from '../passkeys/passkey-queries.ts';
import {
  attestationExample,
  creationOptionsExample,
  PasskeyAttestation,
  PasskeyCreationOptions,
} from '../sign-in/passkey-schema.ts';
import { beginRegistration, completeRegistration, type PasskeyCredential } from '../sign-in/passkeys.ts';
import { requireRecentSignIn } from '../sign-in/recent-sign-in.ts';
import { furtherAccess, passwordInput } from '../sign-in/schema.ts';

const Passkey = Type.Object(
  {
    id: idOf('psk'),
    name: Type.String(),
    is_backed_up: Type.Boolean({ description: 'Whether it is kept by an account, and so on several devices.' }),
    created_at: time(),
    last_used_at: nullable(time()),
  },
  { $id: 'Passkey' },
);

const example = {
  id: 'psk_01jd3q5r8wf0ht6vsx2p9k4m7n',
  name: 'Laptop',
  is_backed_up: true,
  created_at: '2026-01-31T09:30:00Z',
  last_used_at: null,
};

const view = ({ backed_up, ...row }: PasskeyRow) => ({
  id: row.id,
  name: row.name,
  is_backed_up: backed_up,
  created_at: formatTime(row.created_at),
  last_used_at: formatTimeOrNull(row.last_used_at),
});

const PasskeyConfirmation = Type.Object(
  { password: Type.Optional(passwordInput('Your password: needed when you signed in more than 15 minutes ago.')) },
  { $id: 'PasskeyConfirmation' },
);
const name = nameSchema('The name of the passkey, for example the device.');
const PasskeyCreation = Type.Object({ name, credential: PasskeyAttestation }, { $id: 'PasskeyCreation' });
const PasskeyUpdate = Type.Object({ name }, { $id: 'PasskeyUpdate', minProperties: 1 });

const shared = { tag: 'Profile', extension: true, permission: 'session', ofAccount: true, anySignIn: true } as const;

const list = defineRoute({
  ...shared,
  method: 'GET',
  path: '/profile/passkeys',
  operationId: 'listPasskeys',
  summary: 'List your passkeys',
  description: 'Returns the passkeys with which you can sign in, newest first.',
  query: pageParameters,
  responses: {
    200: {
      schema: page(Passkey, 'Passkey'),
      description: 'A page of passkeys.',
      example: { data: [example], next_cursor: null },
    },
  },
  errors: ['invalid_cursor'],
  handler: async ({ actor, query, context }) => {
    const binding = { operation: 'listPasskeys', orgId: actor.orgId, filters: { user: actor.userId } };
    const before = query.next_cursor === undefined ? null : context.cursors.decode(binding, query.next_cursor);
    const beforeId = (before?.[0] as string | undefined) ?? null;
    const statement = listPasskeys(actor.userId, { limit: query.limit, beforeId });
    const rows = await context.database.single<PasskeyRow>(null, statement);
    const { data, next_cursor } = pageOf(rows, query.limit, context.cursors, binding, (row) => [row.id]);
    return { data: data.map(view), next_cursor };
  },
});

const begin = defineRoute({
  ...shared,
  method: 'POST',
  path: '/profile/passkeys/options',
  operationId: 'beginPasskey',
  sensitive: true,
  summary: 'Begin to add a passkey',
  description:
    'Returns the options for the browser, and sets a cookie with the challenge, which is valid for 5 minutes. Needs a sign-in of the last 15 minutes, or your `password`.',
  body: PasskeyConfirmation,
  requestExample: { password: 'correct horse battery' },
  responses: { 200: { schema: PasskeyCreationOptions, description: 'The options.', example: creationOptionsExample } },
  errors: ['recent_sign_in_required'],
  handler: async ({ actor, body, context: { identity }, request, reply }) => {
    await requireRecentSignIn(identity, actor, body.password);
    return beginRegistration(identity, { request, reply });
  },
});

const create = defineRoute({
  ...shared,
  method: 'POST',
  path: '/profile/passkeys',
  operationId: 'createPasskey',
  sensitive: true,
  summary: 'Add a passkey',
  description: 'From now on the passkey signs you in, without a password and a code.',
  body: PasskeyCreation,
  requestExample: { name: example.name, credential: attestationExample },
  responses: { 201: { schema: Passkey, description: 'The passkey.', example } },
  errors: ['already_exists'],
  handler: async ({ actor, body, context: { identity }, request, reply, transaction }) => {
    const credential = body.credential as PasskeyCredential;
    const id = await completeRegistration(identity, { request, reply }, { credential, name: body.name });
    const { database } = identity;
    return changeAccount({ database, transaction }, actor.userId, async (tx, account) => {
      const row = await findPasskey(tx, actor.userId, id);
      if (!row) throw notFound('Passkey');
      const details = { passkey: row.id, name: row.name };
      await recordOwnAccount(tx, account, auditActor(actor), 'account.passkey_added', details);
      await noticeAccount(tx, 'passkey_added', actor);
      return view(row);
    });
  },
});

const update = defineRoute({
  ...shared,
  method: 'PATCH',
  path: '/profile/passkeys/{id}',
  operationId: 'updatePasskey',
  summary: 'Rename a passkey',
  description: 'The name is only for you.',
  params: { id: idOf('psk') },
  body: PasskeyUpdate,
  requestExample: { name: example.name },
  responses: { 200: { schema: Passkey, description: 'The passkey.', example } },
  errors: [],
  handler: ({ actor, params, body, transaction }) =>
    transaction(async (tx) => {
      const row = isId('psk', params.id) && (await updatePasskeyName(tx, actor.userId, params.id, body.name));
      if (!row) throw notFound('Passkey');
      return view(row);
    }),
});

const remove = defineRoute({
  ...shared,
  method: 'DELETE',
  path: '/profile/passkeys/{id}',
  operationId: 'deletePasskey',
  summary: 'Remove a passkey',
  description:
    'It no longer signs you in. Sessions stay, and so do API tokens and other passkeys unless you say otherwise.',
  params: { id: idOf('psk') },
  query: furtherAccess,
  responses: { 204: { description: 'Removed.' } },
  errors: [],
  handler: ({ actor, params, query, context: { database }, transaction }) =>
    changeAccount({ database, transaction }, actor.userId, async (tx, account) => {
      const removed = isId('psk', params.id) ? await deletePasskey(tx, actor.userId, params.id) : undefined;
      if (removed === undefined) throw notFound('Passkey');
      const details = { passkey: params.id, name: removed };
      await recordOwnAccount(tx, account, auditActor(actor), 'account.passkey_removed', details);
      await noticeAccount(tx, 'passkey_removed', actor);
      await endFurtherAccess(tx, account, query, { actor: auditActor(actor), because: 'passkey removed' });
    }),
});

export const passkeyRoutes = [list, begin, create, update, remove];
