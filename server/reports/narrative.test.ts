import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Severity, severities } from '@assay/scanner/contract/severity.ts';
import fc from 'fast-check';
import { checkProperty } from '../../tests/harness/properties.ts';
import { isOpen, openStatuses, type Status, statuses } from '../findings/lifecycle.ts';
import { narrate, selectionSentence } from './narrative.ts';
import { inBoth, reportHead } from './report.fixture.ts';
import { defaultDocument, reportLanguages } from './report-document.ts';
import { hostileTitles, reportFinding, reportFindings } from './report-finding.fixture.ts';
import type { ReportHead } from './report-model.ts';

const finding = (index: number, status: Status, severity: Severity, title?: string) => {
  const like = reportFinding(index);
  return {
    ...like,
    status,
    severity,
    title: title ?? like.title,
    rule: { ...like.rule, name: title ?? like.rule.name },
    data_source: { ...like.data_source, name: title ?? like.data_source.name },
    closed_at: isOpen(status) ? null : '2026-11-01T00:00:00Z',
    accepted_until: status === 'accepted_risk' && index % 2 ? '2026-12-01T00:00:00Z' : null,
  };
};

const anyHead = fc
  .record({
    findings: fc.array(
      fc.record({
        index: fc.nat({ max: 500 }),
        status: fc.constantFrom(...statuses),
        severity: fc.constantFrom(...severities),
        title: fc.option(fc.oneof(fc.constantFrom(...hostileTitles), fc.string({ unit: 'binary' })), {
          nil: undefined,
        }),
      }),
      { maxLength: 25 },
    ),
    filters: fc.constantFrom<ReportHead['filters']>(
      {},
      { status: [...openStatuses] },
      { from: '2026-01-01T00:00:00Z' },
    ),
    values: fc.array(fc.string(), { minLength: 1, maxLength: 9 }),
    language: fc.constantFrom(...reportLanguages),
  })
  .map(({ findings, filters, values, language }) => {
    const shown = findings.filter(({ status }) => !filters.status || filters.status.includes(status));
    const selection = filters.status || filters.from ? [{ label: 'Status', values }] : [];
    return reportHead(
      shown.map(({ index, status, severity, title }) => finding(index, status, severity, title)),
      { filters, selection: inBoth(selection), document: { ...defaultDocument, language } },
    );
  });

/** All texts of a narrative, except remediation, which is Markdown. */
const said = (head: ReportHead): string[] => {
  const { lead, paragraphs, figures, steps, oldest } = narrate(head);
  return [
    selectionSentence(head),
    lead,
    ...paragraphs,
    ...figures.flatMap(({ label, value, note }) => [label, value, note]),
    ...steps.flatMap(({ title, why }) => [title, why]),
    ...oldest.flatMap(({ title, detail }) => [title, detail]),
  ];
};

/** The paragraphs of a narrative without the titles and names that they quote. */
const ownWords = (head: ReportHead) => narrate(head).paragraphs.map((text) => text.replace(/[“„][^“”]*[”“]/g, 'it'));

test('whatever the findings, every sentence is complete: no gaps, no wrong plurals, no control characters', () => {
  checkProperty(
    fc.property(anyHead, (head) => {
      for (const text of said(head)) {
        assert.notEqual(text.trim(), '');
        assert.doesNotMatch(text, /[\0-\x1F\x7F-\x9F\u202A-\u202E\u2066-\u2069]/);
        assert.ok(text.isWellFormed());
      }
    }),
  );
  checkProperty(
    fc.property(
      anyHead.filter((head) => !/[“”„]/.test(JSON.stringify(head))),
      (head) => {
        const { lead, figures } = narrate(head);
        for (const text of [lead, ...ownWords(head), ...figures.map(({ value, note }) => `${value} ${note}`)]) {
          assert.doesNotMatch(text, /\b(?:NaN|undefined|null|Infinity)\b| {2}|,,|\.\.|: ?\.|,\.| ,/, text);
          assert.doesNotMatch(text, /(?<![\d,])1 (?:open |closed )?(?:findings|data sources|days|are)\b/, text);
          assert.doesNotMatch(
            text,
            /(?:^|\s)(?:0|[2-9]|\d{2,}) (?:open |closed )?(?:finding|data source|day|is|has)\b/,
            text,
          );
        }
        for (const text of [lead, ...ownWords(head)]) assert.match(text, /^[A-Z0-9“i].*\.$/su);
      },
    ),
  );
});

test('a title of any length and content takes a line of at most 120 characters', () => {
  const head = reportHead(hostileTitles.map((title, index) => finding(index, 'new', 'high', title)));
  for (const { title } of narrate(head).oldest) assert.ok([...title].length <= 130 && !title.includes('\n'), title);
});

test('a report without findings explains the empty result, and that it proves nothing', () => {
  const { lead, paragraphs, figures, steps } = narrate(reportHead([]));
  assert.equal(lead, 'There are no findings.');
  assert.match(paragraphs.join(' '), /does not prove that there are no problems/);
  assert.deepEqual([figures, steps], [[], []]);
  const filtered = reportHead([], { selection: inBoth([{ label: 'Severity', values: ['Critical'] }]) });
  assert.equal(narrate(filtered).lead, 'No findings match this selection.');
});

test('reports with only closed, only informational or a single finding each have a specific lead', () => {
  assert.equal(narrate(reportHead([finding(1, 'resolved', 'high')])).lead, 'The only finding is closed.');
  assert.equal(
    narrate(reportHead([finding(1, 'resolved', 'high'), finding(2, 'accepted_risk', 'low')])).lead,
    'All 2 findings are closed.',
  );
  assert.equal(
    narrate(reportHead([finding(1, 'new', 'info'), finding(2, 'new', 'info')])).lead,
    '2 findings are open, all of them informational.',
  );
  assert.equal(narrate(reportHead([finding(1, 'new', 'critical')])).lead, '1 finding is open, of critical severity.');
});

test('the figures equal those of the report', () => {
  const head = reportHead(reportFindings(200));
  const { lead, paragraphs, figures } = narrate(head);
  assert.equal(lead, '125 findings are open, 32 of them critical and 31 high.');
  assert.deepEqual(
    figures.map(({ value }) => value),
    [
      head.open,
      head.open_by_severity.critical + head.open_by_severity.high,
      head.in_period.opened,
      head.in_period.closed,
    ].map(String),
  );
  const text = paragraphs.join(' ');
  for (const part of [
    'This report covers 200 findings in 4 data sources.',
    `From 21 October to 20 November 2026, ${head.in_period.opened} findings were seen for the first time; ${head.in_period.opened_still_open} of them are still open.`,
    `${head.open} now, compared with ${head.analysis!.roll_forward!.total.open_then} at the start of 21 October 2026.`,
    `first seen ${head.oldest_open[0]!.age_days} days ago`,
    `${head.reopened} open findings have come back`,
  ])
    assert.ok(text.includes(part), part);
});

test('a report of only new findings mentions neither closing nor a trend', () => {
  const open = reportFindings(200).filter(({ status }) => status === 'new');
  const { paragraphs, figures } = narrate(reportHead(open, { filters: { status: ['new'] } }));
  assert.doesNotMatch(paragraphs.join(' '), /closed|at the start of/);
  assert.equal(figures.at(-1)!.label, 'Oldest open');
});

test('a report of only closed findings does not read as if none were open', () => {
  const closed = reportFindings(300).filter(({ status }) => status === 'resolved');
  const { lead, paragraphs, figures } = narrate(reportHead(closed, { filters: { status: ['resolved'] } }));
  assert.equal(lead, `${closed.length} closed findings; this report leaves out open findings.`);
  assert.equal(figures[0]!.label, 'Closed findings');
  assert.doesNotMatch(
    [...paragraphs, ...figures.map(({ note }) => note)].join(' '),
    /none open|still open|no finding is open/i,
  );
});

test('the scope of a report is described by its filters, with readable times and shortened lists', () => {
  assert.equal(
    selectionSentence(reportHead([])),
    'All findings of Example Industries as of 20 November 2026, 12:00 UTC.',
  );
  const selection = [
    { label: 'Severity', values: ['Critical', 'High'] },
    { label: 'First seen from', values: ['2026-11-01T00:00:00Z'] },
    { label: 'Tag', values: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] },
  ];
  assert.equal(
    selectionSentence(reportHead([], { selection: inBoth(selection) })),
    'Findings of Example Industries as of 20 November 2026, 12:00 UTC, with severity Critical or High; first seen from 1 November 2026, 00:00 UTC; tag a, b, c, d, e, f and 2 others.',
  );
});
