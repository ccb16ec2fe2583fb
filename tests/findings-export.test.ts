import assert from 'node:assert/strict';
import { json as readJson } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { detectionOf } from '../server/findings/findings.fixture.ts';
import type { ColumnService } from '../server/findings/live-columns/column-service.ts';
import { ApiError } from '../server/platform/errors.ts';
import { exportFindings } from '../server/reports/exports/export-findings.ts';
import { reportFormats } from '../server/reports/writers/index.ts';
import { readWorkbook } from '../server/reports/writers/xlsx/workbook.fixture.ts';
import { startApplication } from './harness/application.ts';
import { addDataSource, type Finding, readAll } from './harness/finding-set.ts';
import { recordScan, succeeded } from './harness/furnished.ts';
import { createTenant, createTestMember } from './harness/people.ts';

const app = await startApplication();
after(() => app.close());
const owner = await createTenant(app.database, 'Export');
const dataSource = await addDataSource(app, owner.token, 'results');
const count = 1_204;
const severities = ['critical', 'high', 'low'] as const;
const detections = Array.from({ length: count }, (_, n) =>
  detectionOf(`e${n}`, { severity: severities[n % 3]!, title: n === 5 ? '=HYPERLINK("x")' : `Title ${n}, "quoted"` }),
);
await recordScan(app.database, owner.orgId, dataSource, detections);

const exported = (query: string) => app.call(owner.token, 'GET', `/findings/export?${query}`);

/** Returns the texts of the cells of each sheet of an exported workbook. */
async function exportedWorkbook(query: string): Promise<Map<string, string[][]>> {
  const response = await fetch(`${app.origin}/api/v1/findings/export?format=xlsx&${query}`, {
    headers: { authorization: `Bearer ${owner.token}` },
  });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), reportFormats.xlsx.contentType);
  assert.match(response.headers.get('content-disposition')!, /^attachment; filename="findings-[-\d]{10}\.xlsx"$/);
  const sheets = readWorkbook(Buffer.from(await response.arrayBuffer()));
  return new Map([...sheets].map(([name, rows]) => [name, rows.map((row) => row.map((cell) => cell?.text ?? ''))]));
}

for (const query of [
  '',
  'severity=high',
  'severity=-high&sort=first_seen_at',
  'sort=-severity',
  'rule=nothing',
  'q=7&sort=relevance',
]) {
  test(`an export has every finding of the list once and in its order, in every format: ${query || 'all'}`, async () => {
    const ids = (await readAll(app, owner.token, query)).map((finding) => finding.id);
    const json = await exported(`format=json&${query}`);
    assert.equal(json.status, 200, json.text.slice(0, 200));
    assert.match(json.headers['content-disposition']!, /^attachment; filename="findings-\d{4}-\d\d-\d\d\.json"$/);
    const { data } = JSON.parse(json.text);
    assert.deepEqual(
      data.map((finding: Finding) => finding.id),
      ids,
    );
    const csv = await exported(`format=csv&${query}`);
    assert.equal(csv.headers['content-type'], 'text/csv; charset=utf-8');
    const rows = parse(csv.text, { columns: true }) as Array<{ id: string; title: string }>;
    assert.deepEqual(
      rows.map((row) => row.id),
      ids,
    );
    assert.deepEqual(
      rows.filter((row) => row.title.startsWith('=')),
      [],
    );
    const [header, ...cells] = (await exportedWorkbook(query)).get('Findings')!;
    assert.deepEqual(
      cells.map((row) => row[header!.indexOf('ID')]),
      ids,
    );
  });
}

test('a workbook names its organization, its order and its filters, but no people of other organizations', async () => {
  const stranger = await createTenant(app.database, 'Elsewhere');
  const colleague = await createTestMember(app.database, owner.orgId, 'analyst');
  const filters = `severity=high,-low&data_source=${dataSource}&assignee=${colleague.userId},${stranger.userId}`;
  const rows = new Map((await exportedWorkbook(`sort=-severity&${filters}`)).get('List') as [string, string][]);
  const nameOf = async ({ token }: { token: string }) => succeeded(await app.call(token, 'GET', '/profile')).name;
  assert.equal(rows.get('Organization'), 'Export');
  assert.equal(rows.get('Order'), 'Most severe first');
  assert.equal(rows.get('Filter: Severity'), 'High\nnot Low');
  assert.equal(rows.get('Filter: Data source'), 'results');
  assert.equal(rows.get('Filter: Assignee'), `${await nameOf(colleague)}\n${stranger.userId}`);
});

test('a text of a finding is never a formula in a workbook', async () => {
  const response = await fetch(`${app.origin}/api/v1/findings/export?format=xlsx&rule=rule-e5`, {
    headers: { authorization: `Bearer ${owner.token}` },
  });
  const [header, row] = readWorkbook(Buffer.from(await response.arrayBuffer())).get('Findings')!;
  const title = row![header!.findIndex((cell) => cell.text === 'Title')]!;
  assert.deepEqual([title.text, title.type, title.formula], ['=HYPERLINK("x")', 'inlineStr', '']);
});

test('an export waits for a page that is temporarily unavailable, and is refused only before the first', async () => {
  // `ask` throws 503, like while columns of a large organization are being reloaded.
  const exportWhile = async (isAway: (asked: number) => boolean) => {
    let asked = 0;
    const ask = async () => {
      asked += 1;
      if (isAway(asked)) throw new ApiError('unavailable', 'The findings are being loaded.');
      return null;
    };
    const columns = { serves: async () => true, has: () => true, ask } as unknown as ColumnService;
    const wanted = { columns, filters: {}, sort: '-priority', format: 'json', baseUrl: 'http://localhost' } as const;
    const file = (await readJson(exportFindings(app.database, owner.orgId, wanted))) as { data: unknown[] };
    return { asked, data: file.data };
  };
  const { data: all, asked: usual } = await exportWhile(() => false);
  assert.equal(all.length, count);
  const { data, asked } = await exportWhile((number) => number === usual - 1);
  assert.deepEqual(data, all);
  assert.ok(asked > usual, 'a page was read again');
  await assert.rejects(
    exportWhile((number) => number === 1),
    { code: 'unavailable' },
  );
});

test('an exported finding equals that of its detail endpoint, with its comments', async () => {
  const [{ id }] = await readAll(app, owner.token, 'rule=rule-e7');
  succeeded(await app.call(owner.token, 'POST', `/findings/${id}/comment`, { json: { comment: 'known' } }));
  const {
    related: _related,
    also: _also,
    ...detail
  } = succeeded(await app.call(owner.token, 'GET', `/findings/${id}`));
  const [{ comments, closed, ...finding }] = JSON.parse((await exported('format=json&rule=rule-e7')).text).data;
  assert.deepEqual(finding, detail);
  assert.deepEqual(
    comments.map(({ comment }: { comment: string }) => comment),
    ['known'],
  );
  assert.equal(closed, null);
});

test("a row has the finding's age, its due date, who closed it and why, and the address of its page", async () => {
  const rowOf = async (rule: string) => {
    const { text } = await exported(`format=csv&rule=${rule}`);
    return (parse(text, { columns: true }) as Array<Record<string, string>>)[0]!;
  };
  const open = await rowOf('rule-e9');
  assert.deepEqual([open.age_days, open.closed_by, open.closed_reason], ['0', '', '']);
  assert.match(open.due_at!, /^\d{4}-\d\d-\d\dT/);
  assert.match(open.console_url!, new RegExp(`^https?://[^/]+/findings/${open.id}$`));
  const json = { status: 'false_positive', comment: 'Only a test key' };
  succeeded(await app.call(owner.token, 'PATCH', `/findings/${open.id}`, { json }));
  succeeded(await app.call(owner.token, 'POST', `/findings/${open.id}/comment`, { json: { comment: 'later' } }));
  const closed = await rowOf('rule-e9');
  const { name } = succeeded(await app.call(owner.token, 'GET', '/profile'));
  assert.deepEqual([closed.closed_by, closed.closed_reason], [name, 'Only a test key']);
});

test('a CSV starts with a byte order mark on request, and no other format has one', async () => {
  const response = await fetch(`${app.origin}/api/v1/findings/export?format=csv&bom=true&rule=rule-e1`, {
    headers: { authorization: `Bearer ${owner.token}` },
  });
  assert.equal(
    Buffer.from(await response.arrayBuffer())
      .subarray(0, 5)
      .toString('hex'),
    'efbbbf6964',
  );
  assert.equal((await exported('format=json&bom=true')).status, 400);
});

test('an export without a format, of an unknown format or with a wrong filter is 400', async () => {
  for (const query of ['', 'format=pdf', 'format=csv&severity=worst', 'format=csv&limit=5'])
    assert.equal((await exported(query)).status, 400, query);
});
