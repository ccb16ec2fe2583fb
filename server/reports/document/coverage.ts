import {
  type CoverageState,
  type CoveredDataSource,
  coverageStates,
  type ReportCoverage,
} from '../analysis/analysis-model.ts';
import { count, formatNumber, kindName, listed } from '../labels.ts';
import { selectionSentence } from '../narrative.ts';
import type { ReportHead } from '../report-model.ts';
import { type Block, heading, type Inline, note, paragraph, strong, table, text } from './blocks.ts';
import { lineOf } from './texts.ts';

const stateNames: Record<CoverageState, string> = {
  never_scanned: 'Never scanned',
  failed: 'Last scan failed',
  stale: 'Out of date',
  current: 'Up to date',
};

const shownDataSources = 200;

/** Returns what was looked at and what was not; with `inShort`, only the data sources with gaps. */
export function coverageBlocks(head: ReportHead, { inShort }: { inShort: boolean }): Block[] {
  const coverage = head.analysis?.coverage;
  if (!coverage) return [];
  const listedSources = inShort
    ? coverage.data_sources.filter(({ state }) => state !== 'current').slice(0, 8)
    : coverage.data_sources.slice(0, shownDataSources);
  const left = (inShort ? coverage.total - coverage.by_state.current : coverage.total) - listedSources.length;
  return [
    heading(1, 'coverage', 'Scope and coverage', { newPage: !inShort }),
    paragraph(selectionSentence(head)),
    paragraph(stateSentence(coverage)),
    ...(listedSources.length > 0 ? [sourceTable(listedSources, inShort)] : []),
    ...(left > 0
      ? [
          paragraph(
            `${count(left, 'more data source')} ${left === 1 ? 'is' : 'are'} not listed here; the console shows all.`,
            'note',
          ),
        ]
      : []),
    ...(inShort ? [] : method(head)),
  ];
}

function stateSentence({ total, by_state: states }: ReportCoverage): string {
  const gaps = coverageStates.filter((state) => state !== 'current' && states[state] > 0);
  const words: Record<CoverageState, string> = {
    never_scanned: 'never scanned',
    failed: 'with a failed last scan',
    stale: 'with results that are out of date',
    current: 'up to date',
  };
  if (total === 0) return 'There are no data sources.';
  if (gaps.length === 0) return `All ${count(total, 'data source')} have complete and recent results.`;
  const parts = gaps.map((state) => `${formatNumber(states[state])} ${words[state]}`);
  return `${formatNumber(states.current)} of ${count(total, 'data source')} have complete and recent results; ${listed(parts)}. Where nothing was looked at, having no findings proves nothing.`;
}

const sourceTable = (sources: CoveredDataSource[], inShort: boolean): Block =>
  table({
    caption: inShort ? 'Data sources without complete and recent results' : 'Data sources and their last complete scan',
    description: 'Data sources with kind, state, last complete scan and tools',
    dense: true,
    columns: [
      { label: 'Data source', width: { share: 1 } },
      { label: 'Owner', width: { mm: 27 } },
      { label: 'State', width: { mm: 28 } },
      { label: 'Complete scan', width: { mm: 24 } },
      { label: 'Tools', width: { share: 1.3 } },
      { label: 'Open', width: { mm: 14 }, align: 'right' },
    ],
    rows: sources.map((source) => ({
      cells: [
        [
          strong(lineOf(source.name, 80)),
          note(`\n${kindName(source.kind)}, ${source.criticality} criticality, ${source.exposure}`),
        ],
        [text(source.owner ? lineOf(source.owner.name, 60) : '–')],
        [text(stateNames[source.state])],
        [text(source.last_complete_scan_at?.slice(0, 10) ?? 'Never')],
        tools(source),
        [text(formatNumber(source.open))],
      ],
    })),
  });

function tools({ tools: list }: CoveredDataSource): Inline[] {
  if (list.length === 0) return [text('None')];
  const errors = list.filter(({ error }) => error !== null);
  return [
    text(listed(list.map(({ name }) => lineOf(name, 40)))),
    ...errors.map(({ name, error }) => note(`\n${lineOf(name, 40)}: ${lineOf(error!, 160)}`)),
  ];
}

const method = (head: ReportHead): Block[] => [
  heading(2, 'method', 'Method'),
  paragraph(
    `The findings come from automated tools that scanned the data sources above, and from result files of tools that ran elsewhere. People reviewed, assigned and closed them. The report shows what was known on ${head.taken_at.slice(0, 10)}.`,
  ),
  heading(2, 'limitations', 'Limitations'),
  paragraph(
    'Tools find known patterns and known vulnerabilities; they do not find all weaknesses, above all those of design and of business logic. Tools also report problems that are none: findings with the status New have not been reviewed. What no tool looked at, and what was left out by the filters of this report, is not covered.',
  ),
];
