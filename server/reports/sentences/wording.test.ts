import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentOf } from '../document/document.ts';
import { reportHead } from '../report.fixture.ts';
import { defaultDocument, type ReportLanguage, reportLanguages, reportTemplates } from '../report-document.ts';
import { reportFindings } from '../report-finding.fixture.ts';
import { type SentenceKey, tables, wordingIn } from './wording.ts';

const keys = Object.keys(tables.en) as SentenceKey[];
const placeholders = (text: string) => new Set([...text.matchAll(/\{(\w+)/g)].map(([, name]) => name!));

test('all languages have the same keys, in the same order, and no empty text', () => {
  for (const language of reportLanguages) {
    const own = Object.keys(tables[language]);
    for (const key of keys) assert.ok(own.includes(key), `${language} has no text for ${key}`);
    for (const key of own) assert.ok(keys.includes(key as SentenceKey), `${language} has ${key}, and en does not`);
    for (const [at, key] of keys.entries()) assert.equal(own[at], key, `${language} has other keys at ${at}`);
    for (const key of keys) assert.notEqual(tables[language][key].trim(), '', `${language} ${key}`);
  }
});

test('a text uses only the values that the English one gets, and as many forms as its language has', () => {
  for (const language of reportLanguages) {
    const { locale } = tables[language];
    const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories.length;
    for (const key of keys) {
      const text = tables[language][key] ?? assert.fail(`${language} has no text for ${key}`);
      // Words may need to agree with `first` and `sources`, and `label` may be lowercase or not.
      const known = new Set([...placeholders(tables.en[key]), 'first', 'label', 'n']);
      assert.deepEqual(
        [...placeholders(text)].filter((name) => !known.has(name)),
        [],
        `${language} ${key}`,
      );
      assert.doesNotMatch(text.replace(/\{\w+(?:\|[^{}]*)?\}/g, ''), /[{}]/, `${language} ${key}`);
      for (const [, choices] of text.matchAll(/\{\w+\|([^{}]*)\}/g))
        assert.equal(choices!.split('|').length, forms, `${language} ${key}: ${choices}`);
    }
  }
});

/** Texts with separate singular and plural versions that the caller chooses between. */
const single = new Set<string>(['closing.one_resolved', 'start.one', 'why.one']);
const several = new Set<string>([
  ...['lead.closed_all', 'situation.of_open', 'closed.the', 'closed.of_the', 'closing.all_resolved', 'closing.both'],
  ...['attention.any', 'attention.some', 'risks.all', 'risks.some', 'start.several', 'start.share', 'why.several'],
  ...['actions.first', 'coverage.all', 'due.first_owners', 'register.alike', 'findings.some_shown'],
  ...['findings.detailed', 'fact.in_places', 'ages.up_to', 'ages.between', 'ages.over', 'chart.age_up_to'],
  ...['chart.age_between', 'chart.age_over', 'chart.age_none', 'chart.age', 'chart.data_sources_most'],
]);
/** Values that are counts; others are texts. */
const counts = new Set([
  'n',
  'all',
  'total',
  'open',
  'closed',
  'sources',
  'problems',
  'short',
  'places',
  'days',
  'to',
  'first',
  'decided',
]);
const nouns = {
  en: ['finding', 'problem', 'day', 'data source', 'place', 'action', 'decision', 'category', 'vulnerability', 'owner'],
  de: [
    'Befund',
    'Problem',
    'Tag',
    'Datenquelle',
    'Ort',
    'Maßnahme',
    'Entscheidung',
    'Kategorie',
    'Schwachstelle',
    'Risik',
  ],
};
const ends = '(?![a-zäöüß])';
const pluralOf = (noun: string) => (noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}(?:s|e|en|n)`) + ends;

test('every text agrees with 0, 1 and 2, and leaves no placeholder and no gap', () => {
  const wrong: string[] = [];
  for (const language of reportLanguages) {
    const { say } = wordingIn(language);
    const [words, plurals] = [nouns[language].map((noun) => noun + ends), nouns[language].map(pluralOf)];
    const wrongOne = new RegExp(
      `\\b1 (?:(?:[\\p{L}-]+ )?(?:${plurals.join('|')})|(?:are|have|were|sind|haben|wurden)\\b)`,
      'u',
    );
    const wrongMany = new RegExp(
      `\\b[02] (?:(?:[\\p{L}-]+ )?(?:${words.join('|')})|(?:is|has|was|ist|hat|wurde)\\b)`,
      'u',
    );
    for (const key of keys)
      for (const n of [0, 1, 2]) {
        const values = Object.fromEntries(
          [...placeholders(tables[language][key])].map((name) => [name, counts.has(name) ? n : 'x']),
        );
        const said = say(key, values);
        const disagrees = n === 1 ? !several.has(key) && wrongOne.test(said) : !single.has(key) && wrongMany.test(said);
        if (disagrees || /[{}|]|undefined|NaN| {2}/.test(said)) wrong.push(`${language} ${key}: ${said}`);
      }
  }
  assert.deepEqual(wrong, []);
});

test('German quotation marks come in pairs, a number keeps its unit, and no straight quotation mark is left', () => {
  for (const key of keys) {
    const text = tables.de[key];
    assert.equal(text.split('„').length, text.split('“').length, `${key}: ${text}`);
    assert.doesNotMatch(text, /"|”|\d %/, `${key}: ${text}`);
    if (!key.startsWith('remediation.')) assert.doesNotMatch(text, /'/, `${key}: ${text}`);
  }
});

/** Collects the texts of a document with their place: from renderers, and from findings too. */
function* textsIn(value: unknown, path = ''): Generator<[string, string]> {
  if (typeof value === 'string') yield [path, value];
  else if (Array.isArray(value)) for (const [index, part] of value.entries()) yield* textsIn(part, `${path}/${index}`);
  else if (typeof value === 'object' && value !== null)
    for (const [name, part] of Object.entries(value))
      if (!('kind' in value && value.kind === 'comment' && name === 'text')) yield* textsIn(part, `${path}/${name}`);
}

/** Words, abbreviations and units that are the same in both languages. */
const shared = new Set([
  '#',
  'Status',
  'Version',
  'Name',
  'Info',
  'CVSS',
  'CWE',
  'CVE, GHSA',
  'EPSS, KEV',
  'Problem',
  'URL',
]);

test('a German document has no English heading, table header, caption, label or sentence', () => {
  const findings = reportFindings(80, { hostile: false });
  for (const template of reportTemplates) {
    const [english, german] = (['en', 'de'] as ReportLanguage[]).map((language) => {
      const document = { ...defaultDocument, language, foreword: '–', conclusion: '–' };
      return [...textsIn(documentOf(reportHead(findings, { template, document }), findings))];
    });
    const paths = [english!, german!].map((texts) => texts.map(([path]) => path));
    for (const [own, other] of [paths, paths.toReversed()])
      for (const path of own!)
        assert.ok(other!.includes(path), `${template}: only one of both languages has a text at ${path}`);
    let translated = 0;
    for (const [index, [path, text]] of english!.entries()) {
      const [place, other] = german![index]!;
      assert.equal(place, path, `${template}: the texts have another order`);
      if (text !== other) translated++;
      const isOwn =
        /\/(?:label|caption|description|note|alternative)$/.test(path) ||
        (/\/text$/.test(path) && !/inlines|cells/.test(path));
      const isData = /\d/.test(text) || shared.has(text) || /OWASP|CWE|PCI|ISO/.test(text) || !/[a-z]{2}/.test(text);
      if (isOwn && !isData && !/evidence|blocks\/\d+\/blocks/.test(path))
        assert.notEqual(text, other, `${template} ${path}`);
    }
    assert.ok(translated > 100, `${template}: ${translated}`);
  }
});

test('days, moments, periods, numbers and lists are written according to each language', () => {
  const en = wordingIn('en');
  const de = wordingIn('de');
  const at = '2026-11-20T00:05:00Z';
  assert.deepEqual([en.moment(at), en.date(at)], ['20 November 2026, 00:05 UTC', '2026-11-20']);
  assert.deepEqual([de.moment(at), de.date(at)], ['20.\u00A0November 2026, 00:05 UTC', '20.11.2026']);
  const period = { from: '2026-10-21T12:00:00Z', to: '2026-11-20T12:00:00Z' };
  assert.deepEqual(
    [en.period(period), de.period(period)],
    ['21 October to 20 November 2026', '21.\u00A0Oktober bis 20.\u00A0November 2026'],
  );
  const years = { from: '2025-12-01T00:00:00Z', to: '2026-01-05T00:00:00Z' };
  assert.equal(en.period(years), '1 December 2025 to 5 January 2026');
  assert.equal(en.period({ from: '2026-01-05T00:00:00Z', to: '2026-01-05T23:00:00Z' }), '5 January 2026');
  assert.deepEqual([en.number(1_234), de.number(1_234)], ['1,234', '1.234']);
  assert.deepEqual([en.signed(3), en.signed(-4), en.signed(0)], ['+3', '−4', '0']);
  assert.deepEqual([en.list(['a', 'b', 'c']), de.list(['a', 'b', 'c'], 'or')], ['a, b and c', 'a, b oder c']);
  assert.deepEqual(
    [0, 1, 1_234].map((n) => de.say('count.findings', { n })),
    ['0 Befunde', '1 Befund', '1.234 Befunde'],
  );
});

test('a share is never rounded to nothing or to all', () => {
  const { share } = wordingIn('en');
  assert.deepEqual(
    [share(0, 0), share(0, 9), share(1, 1_000), share(999, 1_000), share(9, 9), share(1, 3)],
    ['0%', '0%', 'under 1%', '99%', '100%', '33%'],
  );
});
