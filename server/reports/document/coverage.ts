import { dataSourceStatuses } from '../../data-sources/scan-status.ts';
import type { CoveredDataSource, ReportCoverage } from '../analysis-model.ts';
import { selectionSentence } from '../narrative.ts';
import type { ReportHead } from '../report-model.ts';
import { type Wording, wordingOf } from '../sentences/wording.ts';
import { type Block, heading, type Inline, note, paragraph, strong, table, text } from './blocks.ts';
import { firstRows } from './first-rows.ts';
import { lineOf } from './texts.ts';

const shownDataSources = 200;

/** Returns the scanned data sources and the gaps; with `inShort`, only the data sources with gaps. */
export function coverageBlocks(head: ReportHead, { inShort }: { inShort: boolean }): Block[] {
  const coverage = head.analysis?.coverage;
  if (!coverage) return [];
  const words = wordingOf(head);
  const listedSources = inShort
    ? firstRows(
        coverage.data_sources.filter(({ state }) => state !== 'ok'),
        8,
      )
    : firstRows(coverage.data_sources, shownDataSources);
  const left = (inShort ? coverage.total - coverage.by_state.ok : coverage.total) - listedSources.length;
  return [
    heading(1, 'coverage', words.say('heading.coverage'), { newPage: !inShort }),
    paragraph(selectionSentence(head)),
    paragraph(stateSentence(coverage, words)),
    ...(listedSources.length > 0 ? [sourceTable(listedSources, inShort, words)] : []),
    ...(left > 0 ? [paragraph(words.say('coverage.more', { n: left }), 'note')] : []),
    ...(inShort ? [] : method(head)),
  ];
}

function stateSentence({ total, by_state: states }: ReportCoverage, { say, list }: Wording): string {
  const gaps = dataSourceStatuses.filter((state) => state !== 'ok').filter((state) => states[state] > 0);
  if (total === 0) return say('coverage.none');
  if (gaps.length === 0) return total === 1 ? say('coverage.only') : say('coverage.all', { n: total });
  const parts = list(gaps.map((state) => say(`coverage.${state}`, { n: states[state] })));
  return say('coverage.some', { current: states.ok, n: total, parts });
}

function sourceTable(sources: CoveredDataSource[], inShort: boolean, words: Wording): Block {
  const { say, number, date } = words;
  return table({
    caption: say(inShort ? 'coverage.gaps' : 'coverage.caption'),
    description: say('coverage.description'),
    dense: true,
    columns: [
      { label: say('column.data_source'), width: { share: 1.3 } },
      { label: say('column.owner'), width: { mm: 23 } },
      { label: say('column.state'), width: { mm: 24 } },
      { label: say('column.complete_scan'), width: { mm: 19 } },
      { label: say('column.tools'), width: { share: 1 } },
      { label: say('column.open'), width: { mm: 14 }, align: 'right' },
    ],
    rows: sources.map((source) => ({
      cells: [
        [strong(lineOf(source.name, 80)), note(`\n${describe(source, words)}`)],
        [text(source.owner ? lineOf(source.owner.name, 60) : '–')],
        [text(say(`state.${source.state}`))],
        [text(source.last_complete_scan_at ? date(source.last_complete_scan_at) : say('never'))],
        tools(source, words),
        [text(number(source.open))],
      ],
    })),
  });
}

const describe = ({ kind, criticality, exposure }: CoveredDataSource, { say }: Wording): string =>
  say('coverage.source', {
    kind: say(`kind.${kind}`),
    criticality: say(`criticality.${criticality}`),
    exposure: say(`exposure.${exposure}`),
  });

function tools({ tools: found }: CoveredDataSource, { say, list, date }: Wording): Inline[] {
  if (found.length === 0) return [text(say('none'))];
  // A stale data source needs no explanation besides its state.
  const reasons = found.filter(({ status }) => status === 'failed' || status === 'partial');
  const revisions = new Set(found.flatMap(({ revision }) => revision ?? []));
  const at = (revision: string | null) => (revision ? say('coverage.at', { revision: revision.slice(0, 7) }) : '');
  const isOne = revisions.size === 1 && found.every(({ revision }) => revision !== null);
  const named = found.map(({ name, revision }) => lineOf(name, 40) + (isOne ? '' : at(revision)));
  const behind = found.filter(({ is_behind: isBehind }) => isBehind).map(({ name }) => lineOf(name, 40));
  return [
    text(list(named) + (isOne ? at([...revisions][0]!) : '')),
    ...(behind.length > 0 ? [note(`\n${say('coverage.behind', { names: list(behind) })}`)] : []),
    ...reasons.map(({ name, reason, at }) => note(`\n${lineOf(name, 40)}, ${date(at)}: ${lineOf(reason!, 160)}`)),
  ];
}

/** States when each feed was loaded, or that it never was; empty if nothing was computed. */
export function feedSentence(head: ReportHead): string {
  const { say, date, list } = wordingOf(head);
  const feeds = head.analysis?.coverage.feeds.map(({ name, loaded_at }) =>
    say(loaded_at === null ? 'feed.not_loaded' : 'feed.loaded', {
      name: say(`feed.${name}`),
      day: loaded_at === null ? '' : date(loaded_at),
    }),
  );
  return feeds ? say('coverage.feeds', { list: list(feeds) }) : '';
}

function method(head: ReportHead): Block[] {
  const { say, date } = wordingOf(head);
  return [
    heading(2, 'method', say('heading.method')),
    paragraph(say('coverage.method', { day: date(head.taken_at) })),
    heading(2, 'limitations', say('heading.limitations')),
    paragraph(say('coverage.limitations')),
  ];
}
