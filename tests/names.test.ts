import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import Type from 'typebox';
import { compileShape } from '../server/platform/http/shape.ts';
import { nameSchema, requireName, toName } from '../server/platform/name.ts';
import { startApplication } from './harness/application.ts';
import { furnish, signIn } from './harness/furnished.ts';

const app = await startApplication();
after(() => app.close());
const furnished = await furnish(app, 'names');
const { token } = furnished.people.owner;
const session = await signIn(app, furnished.people.owner.email);

const refused = {
  'an empty text': '',
  blanks: ' \t\u00a0 ',
  'what nobody can see': '\u200b\u2060',
  NUL: 'a\u0000b',
  'a control character': 'a\u0007b',
  'two lines': 'a\nb',
  'a line separator': 'a\u2028b',
  'a C1 control character': 'a\u0085b',
  'a change of direction': 'invoice\u202efdp.exe',
  'an isolated direction': '\u2066a\u2069',
  'half of a surrogate pair': 'a\ud800',
  '201 characters': 'x'.repeat(201),
  '50,000 characters': 'x'.repeat(50_000),
  '50,000 blanks and a line': `${' '.repeat(50_000)}a\nb`,
  'a number': 7,
};

type Place = {
  send: (name: unknown) => ReturnType<typeof app.call>;
  field: string; // biome-ignore lint/suspicious/noExplicitAny: the body of a response
  read: (body: any) => string;
};
const post =
  (path: string, body: (name: unknown) => object, as = token) =>
  (name: unknown) =>
    app.call(as, 'POST', path, { json: body(name) });
const bySession = (method: string, path: string, body: (name: unknown) => object) => (name: unknown) =>
  app.call(null, method, path, { json: body(name), headers: session });

const places: Record<string, Place> = {
  'a data source': {
    send: post('/data-sources', (name) => ({ kind: 'upload', name })),
    field: 'name',
    read: (body) => body.name,
  },
  'a schedule': {
    send: post('/scan-schedules', (name) => ({ source: 'secrets', cron: '@daily', name })),
    field: 'name',
    read: (body) => body.name,
  },
  'a report': { send: post('/reports', (title) => ({ title })), field: 'title', read: (body) => body.title },
  'a scheduled report': {
    send: post('/scheduled-reports', (title) => ({
      title,
      cron: '@daily',
      format: 'csv',
      recipients: ['a@example.com'],
    })),
    field: 'title',
    read: (body) => body.title,
  },
  'a tag': {
    send: (tag) =>
      app.call(token, 'PATCH', `/findings/${furnished.ids['/findings']}`, {
        json: { tags: [typeof tag === 'string' && tag.length > 64 && tag.length < 300 ? tag.slice(0, 65) : tag] },
      }),
    field: 'tags[0]',
    read: (body) => body.tags[0],
  },
  'an API token': {
    send: bySession('POST', '/profile/tokens', (name) => ({ name })),
    field: 'name',
    read: (body) => body.name,
  },
  'a person': {
    send: bySession('PATCH', '/profile', (name) => ({ name })),
    field: 'name',
    read: (body) => body.name,
  },
};

for (const [what, { send, field, read }] of Object.entries(places)) {
  describe(`the name of ${what}`, () => {
    for (const [kind, name] of Object.entries(refused)) {
      test(`is refused when it is ${kind}`, async () => {
        const { status, body } = await send(name);
        assert.deepEqual([status, body.error.code], [400, 'invalid_request']);
        assert.equal(body.error.details[0].field, field);
      });
    }

    test('is trimmed and composed, and otherwise unchanged', async () => {
      const response = await send('\u3000 Zu\u0308rich 👩‍💻 "<b>"  ');
      assert.ok(response.status < 300, response.text);
      assert.equal(read(response.body), 'Zürich 👩‍💻 "<b>"');
    });
  });
}

test('a name on the command line follows the same rule', () => {
  assert.equal(requireName(' Zu\u0308rich '), 'Zürich');
  for (const name of Object.values(refused)) {
    if (typeof name === 'string' && name.isWellFormed())
      assert.throws(() => requireName(name), /name: must be 1 to 200/);
  }
});

test('a name made from a path is a valid name', () => {
  assert.equal(toName('a\u202eb\u0000\n c '), 'ab c');
  assert.equal(toName('\u202e'), '');
  assert.equal([...toName('😀'.repeat(300))].length, 200);
});

test('a megabyte is refused at once', () => {
  const check = compileShape(Type.Object({ name: nameSchema('A name.') }), 'body');
  // Processor time: on a busy machine this process gets only little of the elapsed time.
  const before = process.cpuUsage();
  for (const name of [
    'x'.repeat(1e6),
    `${'x'.repeat(1e6)}\nx`,
    `${' '.repeat(1e6)}x\nx`,
    `${'\u00a0'.repeat(1e6)}\u202e`,
  ]) {
    assert.equal(check({ name }).length, 1);
  }
  const { user, system } = process.cpuUsage(before);
  assert.ok(user + system < 2_000_000, `${user + system} µs`);
});
