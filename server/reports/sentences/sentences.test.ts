import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { counts, sampleAction, sampleAnalysis } from '../analysis/analysis.fixture.ts';
import { keyFigureNames, type ReportAnalysis } from '../analysis/analysis-model.ts';
import { reportHead } from '../report.fixture.ts';
import { defaultDocument, type ReportLanguage, reportLanguages } from '../report-document.ts';
import { describeAnalysis } from './describe-analysis.ts';
import { formatsOf } from './formats.ts';

const describe = (analysis: Partial<ReportAnalysis>, language: ReportLanguage = 'en', open = counts(32, 31, 100)) => {
  const total = Object.values(open).reduce((sum, value) => sum + value, 0);
  const head = reportHead([], { document: { ...defaultDocument, language }, open_by_severity: open, open: total });
  const summary = { ...head.summary, total };
  return describeAnalysis({ ...head, summary, analysis: { ...sampleAnalysis, ...analysis } });
};

test('the verdict says what is open, how it changed, and what was not scanned', () => {
  assert.equal(
    describe({}).verdict,
    'Action is needed: 32 critical and 31 high findings are open, and 11 findings are overdue. That is 7 fewer critical or high findings than on 21 October 2026. 2 of 3 data sources have no current scan.',
  );
  assert.equal(
    describe({}, 'de').verdict,
    'Es besteht Handlungsbedarf: 32 kritische und 31 hohe Befunde sind offen, 11 Befunde sind überfällig. Das sind 7 weniger als am 21. Oktober 2026 (kritisch und hoch). 2 von 3 Datenquellen haben keine aktuelle Prüfung.',
  );
  const quiet = {
    comparison: null,
    coverage: { data_sources: [], total: 1, by_state: { never_scanned: 0, failed: 0, stale: 0, current: 1 } },
  };
  assert.equal(describe(quiet, 'en', counts()).verdict, 'No findings are open.');
  assert.match(
    describe(quiet, 'en', counts(0, 0, 1)).verdict,
    /^No critical or high findings are open; 1 less severe one is, and 11 findings are overdue\./,
  );
});

test('without findings and scans, the verdict says that nothing is known', () => {
  const never = { never_scanned: 3, failed: 0, stale: 0, current: 0 };
  const coverage = { data_sources: [], total: 3, by_state: never };
  assert.equal(
    describe({ coverage }, 'en', counts()).verdict,
    'Nothing can be said yet: none of the 3 data sources has been scanned completely.',
  );
});

test('each action says what it closes, who owns it and when it is due', () => {
  const { actions, covered } = describe({});
  assert.deepEqual(
    actions.map(({ title }) => title),
    ['Upgrade log4j-core to 2.17.1', 'Revoke and replace this secret: AWS access key', 'Fix: SQL built from input'],
  );
  assert.equal(
    actions[0]!.detail,
    'Closes 14 findings in 3 data sources; owner: Ada Lovelace; due on 18 November 2026; 6 overdue.',
  );
  assert.equal(actions[2]!.detail, 'Closes 9 findings in 2 data sources; no owner.');
  assert.equal(
    covered,
    'These 3 actions close 24 of 163 open findings, and 24 of the 63 critical and high ones (38%).',
  );
  const unfixed = sampleAction({
    package: { ecosystem: 'npm', name: 'left-pad', version: null, current: [] },
    name: 'left-pad',
  });
  const [action] = describe({
    actions: { first: [unfixed], total: 1, covered: { open: 14, critical_high: 14 } },
  }).actions;
  assert.equal(action!.title, 'Replace or update left-pad: no fixed version is known');
  assert.match(describe({}, 'de').actions[2]!.remediation!, /^Werte als Parameter/);
});

test('key figures have their change since the earlier report, and none without one', () => {
  assert.deepEqual(
    describe({}).figures.map(({ value, change }) => [value, change]),
    [
      ['42', '−7 since the earlier report'],
      ['11', '+3 since the earlier report'],
      ['19', 'unchanged since the earlier report'],
      ['12 days', ''],
      ['−4', '−9 since the earlier report'],
      ['2', '+2 since the earlier report'],
    ],
  );
});

test('a share is 0 or 100 percent only when that is exact', () => {
  const { share } = formatsOf('en-GB');
  assert.deepEqual(
    [share(0, 9), share(1, 1000), share(999, 1000), share(5, 5), share(1, 3)],
    ['0%', '1%', '99%', '100%', '33%'],
  );
});

test('whatever the figures, every sentence is whole in every language', () => {
  const count = fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 5_000 }));
  const bySeverity = fc.tuple(count, count, count, count, count).map((values) => counts(...values));
  const changed = bySeverity.map((by_severity) => ({
    ...sampleAnalysis.changes.new,
    total: by_severity.high,
    by_severity,
  }));
  const figure = fc.record({ value: fc.option(count), change: fc.option(fc.integer({ min: -50, max: 50 })) });
  const analysis = fc.record({
    comparison: fc.constantFrom(null, sampleAnalysis.comparison),
    key_figures: fc
      .array(figure, { minLength: 6, maxLength: 6 })
      .map(
        (values) =>
          Object.fromEntries(
            keyFigureNames.map((name, index) => [name, values[index]!]),
          ) as ReportAnalysis['key_figures'],
      ),
    changes: fc.record({
      since: fc.constant('2026-10-21T12:00:00Z'),
      new: changed,
      fixed: changed,
      reopened: changed,
      accepted: changed,
    }),
    coverage: fc.record({ never_scanned: count, failed: count, stale: count, current: count }).map((by_state) => ({
      data_sources: [],
      total: Object.values(by_state).reduce((sum, value) => sum + value),
      by_state,
    })),
    mapping: count.map((without_cwe) => ({ ...sampleAnalysis.mapping, without_cwe })),
    severity_comparison: fc.record({
      compared: count,
      agree: count,
      tool_higher: count,
      tool_lower: count,
      pairs: fc.constant<ReportAnalysis['severity_comparison']['pairs']>([]),
    }),
  });
  fc.assert(
    fc.property(analysis, bySeverity, fc.constantFrom(...reportLanguages), (given, open, language) => {
      const { figures, actions, glossary, ...sentences } = describe(given, language, open);
      for (const text of Object.values(sentences)) {
        assert.doesNotMatch(text, /NaN|undefined|null|Infinity| {2}|,,|\.\.|\s[.,;]/, text);
        assert.match(text, /^[A-ZÄÖÜ0-9].*\.$/su);
        if (language === 'en') assert.doesNotMatch(text, /(?<![\d,])1 (?:findings|data sources|are|have|were)\b/, text);
      }
      for (const { label, value } of figures) assert.ok(label !== '' && value !== '');
      for (const { title, detail } of actions) assert.ok(title !== '' && /\.$/.test(detail));
      for (const { term, text } of glossary) assert.ok(term !== '' && text.endsWith('.'));
    }),
    { numRuns: 200 },
  );
});
