import Type, { type Static } from 'typebox';
import { defineRoute } from '../../context.ts';
import { invalid } from '../../platform/errors.ts';
import { enumeration, nullable } from '../../platform/http/schema.ts';
import { findPreferences, upsertPreferences } from './preferences-queries.ts';

/** The maximum size of a person's preferences as JSON, in bytes. */
const maxBytes = 16 * 1024;

const properties = {
  theme: enumeration(['system', 'light', 'dark'], { $id: 'Theme' }),
  density: enumeration(['comfortable', 'compact'], { $id: 'Density' }),
  columns: nullable(
    Type.Array(Type.String({ minLength: 1, maxLength: 64, pattern: '^[a-z][a-z0-9_.]*$' }), {
      maxItems: 50,
      uniqueItems: true,
    }),
    {
      description: 'The columns of the list of findings, as members of a finding, in order; null for the default ones.',
    },
  ),
  single_keys: Type.Boolean({ description: 'Whether single keys act, such as `j`, `k` and `1` to `5`.' }),
  custom: Type.Record(Type.String(), Type.Unknown(), {
    maxProperties: 100,
    propertyNames: { pattern: '^[a-z][a-z0-9_.-]{0,63}$' },
    errorMessage: 'must have up to 100 members, each named by 1 to 64 of a-z, 0-9, _, . and -, beginning with a letter',
    description:
      'Further preferences of a client: up to 100 members of any JSON, named by lower-case letters, digits, `_`, `.` and `-`.',
  }),
};

const Preferences = Type.Object(properties, { $id: 'Preferences' });
const PreferencesInput = Type.Partial(Type.Object(properties), { $id: 'PreferencesInput' });

const defaults: Static<typeof Preferences> = {
  theme: 'system',
  density: 'comfortable',
  columns: null,
  single_keys: true,
  custom: {},
};

const example = { ...defaults, theme: 'dark' as const, columns: ['severity', 'title', 'first_seen_at'] };

const get = defineRoute({
  method: 'GET',
  path: '/profile/preferences',
  operationId: 'getPreferences',
  tag: 'Profile',
  summary: 'Get your preferences',
  description: 'Returns your preferences for the console, which apply in all of your organizations.',
  extension: true,
  permission: 'authenticated',
  responses: { 200: { schema: Preferences, description: 'The preferences, with defaults.', example } },
  errors: [],
  handler: async ({ actor, context }) => ({ ...defaults, ...(await findPreferences(context.database, actor.userId)) }),
});

const put = defineRoute({
  method: 'PUT',
  path: '/profile/preferences',
  operationId: 'replacePreferences',
  tag: 'Profile',
  summary: 'Replace your preferences',
  description: `Replaces all preferences; members that the body lacks get their defaults. At most ${maxBytes / 1024} kB of JSON.`,
  extension: true,
  permission: { role: 'viewer', scope: 'organization:write' },
  body: PreferencesInput,
  requestExample: { theme: example.theme, columns: example.columns },
  responses: { 200: { schema: Preferences, description: 'The preferences, with defaults.', example } },
  errors: [],
  handler: async ({ actor, body, context }) => {
    const text = JSON.stringify(body);
    const bytes = Buffer.byteLength(text);
    if (bytes > maxBytes) {
      throw invalid('body', 'body', `is ${bytes} bytes of JSON, and may be ${maxBytes}. Keep less in \`custom\``);
    }
    await upsertPreferences(context.database, actor.userId, text);
    return { ...defaults, ...body };
  },
});

export const preferencesRoutes = [get, put];
