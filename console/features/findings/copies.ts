import { csvOf } from '../../list/csv.ts';
import { paths } from '../../paths.ts';
import type { FindingColumn } from './columns.tsx';
import type { ListedFinding } from './listed-finding.ts';
import { placeOf, severityNames, statusNames } from './words.ts';

type Copied = Pick<ListedFinding, 'id' | 'number' | 'title' | 'severity' | 'status' | 'location' | 'data_source'>;

/** Returns findings as CSV with a header row, locations and links. */
export const findingsCsv = (findings: readonly ListedFinding[], columns: readonly FindingColumn[]): string =>
  csvOf([
    [...columns.map(({ title }) => title), 'Place', 'Link'],
    ...findings.map((finding) => [...columns.map(({ text }) => text(finding)), placeOf(finding), linkOf(finding)]),
  ]);

export const linkOf = ({ id }: Pick<Copied, 'id'>): string => `${location.origin}${paths.findings}/${id}`;

/** Escapes characters that Markdown would read as a link, emphasis, code, or the start of HTML. */
const escaped = (text: string) => text.replace(/[\\`*_[\]<>|]/g, '\\$&');

/** Returns findings as a list in Markdown, each with its link. */
export const markdownOf = (findings: readonly Copied[]): string =>
  findings
    .map((finding) => {
      const facts = [
        severityNames[finding.severity],
        statusNames[finding.status],
        finding.data_source.name,
        placeOf(finding),
      ];
      return `- [${finding.number} ${escaped(finding.title)}](${linkOf(finding)}) · ${facts.filter(Boolean).map(escaped).join(' · ')}`;
    })
    .join('\n');
