import assert from 'node:assert/strict';
import data from '../../findings/standards/standards.json' with { type: 'json' };
import type { Block, DocumentContent, Inline, Table } from '../document/blocks.ts';
import { documentOf } from '../document/document.ts';
import { reportLanguages, reportTemplates } from '../report-document.ts';
import type { ReportFinding, ReportHead } from '../report-model.ts';
import en from '../sentences/en.json' with { type: 'json' };
import { claimsOf } from './claims.fixture.ts';
import { figuresOf, isProblem } from './tables.fixture.ts';

/** A text of a document, and the id of its section. */
type Said = { section: string; text: string };
/** The figure columns of a table; `first` has the first cells of its rows. */
type Figures = { section: string; description: string; first: string[]; figures: number[][] };

const lettersOf = (inlines: Inline[]): string =>
  inlines
    .map((inline) => {
      if (inline.kind === 'severity') return en[`severity.${inline.severity}`];
      return 'text' in inline ? inline.text : lettersOf(inline.inlines);
    })
    .join('');
const figureIn = (text: string): number => Number(text.replace(/[.,\u202f]/g, '').replace('−', '-'));

/** Splits a document into its texts and the figure columns of its tables. */
function takeApart({ cover, blocks }: DocumentContent): { texts: Said[]; tables: Figures[] } {
  const texts: Said[] = [cover.subtitle, ...cover.facts.map(({ inlines }) => lettersOf(inlines))].map((text) => ({
    section: 'cover',
    text,
  }));
  const tables: Figures[] = [];
  let section = '';
  const say = (...values: Array<string | null | undefined>) => {
    for (const text of values) if (text) texts.push({ section, text });
  };
  const table = ({ caption, description, columns, rows }: Table) => {
    say(caption, description, ...columns.map(({ label }) => label));
    const isFigure = columns.map(({ align }) => align === 'right');
    const figures = rows.map(({ cells }) =>
      cells.filter((_, index) => isFigure[index]).map((cell) => figureIn(lettersOf(cell))),
    );
    tables.push({ section, description, first: rows.map(({ cells }) => lettersOf(cells[0]!)), figures });
    for (const { cells } of rows) say(...cells.filter((_, index) => !isFigure[index]).map(lettersOf));
  };
  const take = (block: Block): void => {
    if (block.kind === 'heading') {
      section = block.id;
      say(block.aside, block.text);
    } else if (block.kind === 'paragraph') say(block.label, lettersOf(block.inlines));
    else if (block.kind === 'table') table(block);
    else if (block.kind === 'together') block.blocks.forEach(take);
    else if (block.kind === 'charts')
      for (const chart of block.charts) {
        section = `chart_${chart.id}`;
        say(chart.caption, chart.alternative);
      }
    else if (block.kind === 'key_figures')
      for (const { label, value, note } of block.figures) say(label, `${label} = ${value}`, `${label}: ${note}`);
    else if (block.kind === 'facts')
      for (const { label, inlines } of block.facts) say(`${label} = ${lettersOf(inlines)}`);
    else if (block.kind === 'list') for (const item of block.items) say(lettersOf(item));
    else if (block.kind === 'comment') say(block.author, block.at);
    // Markdown and evidence are texts of findings.
  };
  blocks.forEach(take);
  return { texts, tables };
}

const isoTime = /\d{4}-\d\d-\d\d(?=T\d\d:\d\d:\d\dZ)/g;
const months = Object.fromEntries(
  Array.from({ length: 12 }, (_, month) => [
    new Date(Date.UTC(2000, month, 1)).toLocaleString('en-GB', { month: 'long', timeZone: 'UTC' }),
    String(month + 1).padStart(2, '0'),
  ]),
);

/** Returns a function that removes the names, ids and days of a report from a text, so that figures are left. */
function namesOf(head: ReportHead, findings: ReportFinding[]): (text: string) => string {
  const analysis = head.analysis!;
  const fixed = Object.values(en).filter((value) => /\d/.test(value) && !value.includes('{'));
  const known = new Set<string>(fixed);
  const add = (...values: Array<string | number | null | undefined>) => {
    for (const value of values) if (value && /\d/.test(String(value))) known.add(String(value));
  };
  for (const finding of findings) {
    const { location, rule, comments, data_source: dataSource } = finding;
    add(
      finding.id,
      finding.title,
      rule.id,
      rule.name,
      location.url,
      location.path,
      dataSource.name,
      finding.description,
    );
    add(`${location.path}:${location.start_line}`, location.package?.version, location.package?.fixed_version);
    add(
      finding.remediation,
      ...finding.tags,
      ...finding.identifiers,
      ...comments.flatMap(({ author, comment }) => [author, comment]),
    );
    add(finding.assignee?.name, finding.assignee?.email, finding.closed?.by);
  }
  for (const { id, name, categories, source } of analysis.mapping.standards)
    add(id, name, source, ...categories.flatMap((category) => [category.id, category.name]));
  add(...data.standards.map(({ short }) => short));
  for (const { id, name } of analysis.mapping.weaknesses) add(id, name);
  for (const kind of ['new', 'fixed', 'reopened', 'accepted'] as const)
    for (const { title, place } of analysis.changes[kind].most_severe) add(title, place);
  for (const { owner } of analysis.owners.owners) add(owner?.name);
  for (const { name, remediation, package: found } of analysis.actions.first)
    add(name, remediation, found?.version, ...(found?.current ?? []));
  for (const { version } of analysis.tools) add(version);
  add(
    head.id,
    head.snapshot_sha256,
    head.title,
    head.created_by?.name,
    head.document.version,
    analysis.comparison?.report.title,
  );
  for (const { values } of head.selection.en) add(...values);
  const names = [...known].sort((one, other) => other.length - one.length);
  const days = new Set(JSON.stringify([head, findings]).match(isoTime));
  for (const { week } of head.weekly) days.add(week);
  const checkDay = (day: string) => assert.ok(days.has(day), `${day} is a day of the report`);
  const year = head.period.to.slice(0, 4);
  return (text) => {
    let rest = text;
    for (const name of names) rest = rest.replaceAll(name, '¤');
    return rest
      .replace(/CWE-\d+/g, '¤')
      .replace(/\d{4}-\d\d-\d\d/g, (day) => {
        checkDay(day);
        return '¤';
      })
      .replace(
        /(\d{1,2}) (January|February|March|April|May|June|July|August|September|October|November|December)(?: (\d{4}))?(?:, (\d\d:\d\d) UTC)?/g,
        (_, day: string, month: string, own: string | undefined) => {
          checkDay(`${own ?? year}-${months[month]}-${day.padStart(2, '0')}`);
          return '¤';
        },
      );
  };
}

/** The numbers in a text, sorted, whatever its language. "0–7 Tage" is "up to 7 days". */
const numbersIn = (text: string): number[] =>
  (
    text
      .replace(/\b0–(?=\d)/, '')
      .replace(/(\d)[.,](?=\d{3}(?!\d))/g, '$1')
      .match(/\d+/g) ?? []
  )
    .map(Number)
    .sort((one, other) => one - other);

/** Accounts for every figure in the documents of a report, in each template and language. */
export function checkDocuments(head: ReportHead, findings: ReportFinding[]): void {
  const withoutNames = namesOf(head, findings);
  for (const template of reportTemplates) {
    const [english, german] = reportLanguages.map((language) =>
      takeApart(documentOf({ ...head, template, document: { ...head.document, language } }, findings)),
    );
    const claims = claimsOf({ ...head, template }, findings);
    for (const { section, text } of english!.texts) {
      let rest = withoutNames(text);
      for (const claim of claims) rest = claim(rest, section, text);
      assert.doesNotMatch(
        rest,
        /\d/,
        `${template}, ${section}: a figure in ${JSON.stringify(text)} follows from nothing`,
      );
    }
    for (const { figures, ...table } of english!.tables)
      if (figures[0]?.length)
        assert.deepEqual(
          figures,
          figuresOf({ ...head, template }, findings, table),
          `${template}: ${table.description}`,
        );
    assert.deepEqual(
      german!.tables.map(({ figures }) => figures),
      english!.tables.map(({ figures }) => figures),
    );
    german!.texts.forEach(({ section, text }, index) => {
      assert.deepEqual(numbersIn(text), numbersIn(english!.texts[index]!.text), `${template}, ${section}: ${text}`);
    });
    assert.equal(english!.tables.some(isProblem), template === 'audit' && findings.length > 0);
  }
}
