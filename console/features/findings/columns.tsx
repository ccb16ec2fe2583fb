import { type ReactNode, useMemo } from 'react';
import { type FeedName, useFeed } from '../../api/feeds.ts';
import { Age } from '../../ui/time.tsx';
import { RowNote } from './conflict-note.tsx';
import { Due } from './due.tsx';
import type { ListedFinding } from './listed-finding.ts';
import { SeverityMark, StatusMark, Tag } from './marks.tsx';
import classes from './table.module.css';
import {
  confidenceWords,
  contextWords,
  formatShare,
  isCve,
  placeBesideTitle,
  severityNames,
  statusNames,
} from './words.ts';

export type FindingColumn = {
  id: string;
  title: string;
  /** The value as text, for a file. */
  text: (finding: ListedFinding) => string;
  /** A value of `grid-template-columns`. */
  width: string;
  /**
   * The field of a finding that the column shows, `id` by default. Its heading cycles through the orders by that field.
   */
  field?: string;
  cell: (finding: ListedFinding, now: number) => ReactNode;
  /** Whether the cell is empty for a finding. */
  isEmpty?: (finding: ListedFinding) => boolean;
};

const Title = ({ finding }: { finding: ListedFinding }) => (
  <span className={classes.title}>
    <span className={classes.name} title={finding.title}>
      {finding.title}
    </span>
    <span className={classes.place}>
      <bdi dir="ltr">{placeBesideTitle(finding)}</bdi>
    </span>
    <RowNote id={finding.id} />
  </span>
);

const Plain = ({ text }: { text: string }) => (
  <span className={classes.plain} title={text}>
    {text}
  </span>
);

/** The cell of a finding that is not in a feed: empty, or a note that the feed is not loaded. */
function Unknown({ finding: { identifiers }, feed }: { finding: ListedFinding; feed: FeedName }) {
  const isUnknown = useFeed(feed)?.status === 'not_loaded';
  return isUnknown && identifiers.some(isCve) ? <span className={classes.plain}>Unknown</span> : null;
}

const columns: FindingColumn[] = [
  {
    id: 'severity',
    title: 'Severity',
    width: '72px',
    text: ({ severity }) => severityNames[severity],
    cell: ({ severity }) => <SeverityMark severity={severity} />,
  },
  {
    id: 'title',
    title: 'Finding',
    width: 'minmax(200px, 6fr)',
    text: ({ title }) => title,
    cell: (finding) => <Title finding={finding} />,
  },
  {
    id: 'status',
    title: 'Status',
    width: '110px',
    text: ({ status }) => statusNames[status],
    cell: ({ status }) => <StatusMark status={status} />,
  },
  {
    id: 'data_source',
    text: ({ data_source }) => data_source.name,
    title: 'Data source',
    width: 'minmax(96px, 1.4fr)',
    cell: ({ data_source }) => <Plain text={data_source.name} />,
  },
  {
    id: 'rule',
    text: ({ rule }) => rule.name || rule.id,
    title: 'Rule',
    width: 'minmax(72px, 1fr)',
    cell: ({ rule }) => <Plain text={rule.name || rule.id} />,
  },
  {
    id: 'assignee',
    text: ({ assignee }) => assignee?.name ?? '',
    isEmpty: ({ assignee }) => assignee === null,
    title: 'Assignee',
    width: 'minmax(64px, 0.7fr)',
    cell: ({ assignee }) => (assignee ? <Plain text={assignee.name} /> : null),
  },
  {
    id: 'tags',
    text: ({ tags }) => tags.join(', '),
    isEmpty: ({ tags }) => tags.length === 0,
    title: 'Tags',
    width: 'minmax(44px, 0.6fr)',
    cell: ({ tags }) => (
      <span className={classes.tags}>
        {tags.slice(0, 3).map((tag) => (
          <Tag key={tag} name={tag} />
        ))}
        {tags.length > 3 && <span className={classes.more}>+{tags.length - 3}</span>}
      </span>
    ),
  },
  {
    id: 'age',
    text: ({ first_seen_at }) => first_seen_at,
    title: 'Age',
    width: '50px',
    field: 'first_seen_at',
    cell: ({ first_seen_at }, now) => <Age at={first_seen_at} now={now} />,
  },
  {
    id: 'due',
    text: ({ due_at }) => due_at ?? '',
    isEmpty: ({ due_at }) => due_at === null,
    title: 'Due',
    width: '64px',
    field: 'due_at',
    cell: ({ due_at }, now) => <Due at={due_at} now={now} />,
  },
  {
    id: 'epss',
    text: ({ epss }) => `${epss ?? ''}`,
    title: 'EPSS',
    width: '56px',
    cell: (finding) => (finding.epss === null ? <Unknown finding={finding} feed="epss" /> : formatShare(finding.epss)),
  },
  {
    id: 'kev',
    text: ({ kev }) => kev ?? '',
    title: 'Exploited',
    width: '78px',
    cell: (finding) => (finding.kev === null ? <Unknown finding={finding} feed="kev" /> : 'Yes'),
  },
  {
    id: 'context',
    text: ({ context }) => context ?? '',
    isEmpty: ({ context }) => context === null,
    title: 'Context',
    width: '64px',
    cell: ({ context }) => (context === null ? null : contextWords[context]),
  },
  {
    id: 'confidence',
    text: ({ confidence }) => confidence ?? '',
    isEmpty: ({ confidence }) => confidence === null,
    title: 'Confidence',
    width: '84px',
    cell: ({ confidence }) => (confidence === null ? null : confidenceWords[confidence]),
  },
  {
    id: 'priority',
    text: ({ priority }) => `${priority}`,
    title: 'Priority',
    width: '60px',
    cell: ({ priority }) => priority,
  },
  {
    id: 'last_seen',
    text: ({ last_seen_at }) => last_seen_at,
    field: 'last_seen_at',
    title: 'Last seen',
    width: '66px',
    cell: ({ last_seen_at }, now) => <Age at={last_seen_at} now={now} />,
  },
  {
    id: 'cvss',
    text: ({ cvss_score }) => `${cvss_score ?? ''}`,
    isEmpty: ({ cvss_score }) => cvss_score === null,
    field: 'cvss_score',
    title: 'CVSS',
    width: '56px',
    cell: ({ cvss_score }) => (cvss_score === null ? null : cvss_score.toFixed(1)),
  },
  {
    id: 'identifiers',
    text: ({ identifiers }) => identifiers.join(', '),
    isEmpty: ({ identifiers }) => identifiers.length === 0,
    title: 'Identifiers',
    width: 'minmax(90px, 1fr)',
    cell: ({ identifiers }) => <Plain text={identifiers.join(', ')} />,
  },
  {
    id: 'package',
    text: ({ location }) => [location.package?.name, location.package?.version].filter(Boolean).join(' '),
    isEmpty: ({ location }) => location.package === null,
    title: 'Package',
    width: 'minmax(90px, 1fr)',
    cell: ({ location }) => <Plain text={location.package ? location.package.name : ''} />,
  },
  { id: 'number', text: ({ number }) => number, title: 'Number', width: '76px', cell: ({ number }) => number },
  {
    id: 'occurrences',
    text: ({ occurrences }) => `${occurrences}`,
    title: 'Places',
    width: '60px',
    cell: ({ occurrences }) => occurrences,
  },
  {
    id: 'reopened',
    text: ({ reopened_count }) => `${reopened_count}`,
    isEmpty: ({ reopened_count }) => reopened_count === 0,
    title: 'Reopened',
    width: '76px',
    cell: ({ reopened_count }) => reopened_count || null,
  },
];

const defaultColumns = ['severity', 'title', 'status', 'data_source', 'rule', 'assignee', 'tags', 'age', 'due'];

/** The ids of the default columns. Without room for all, the rule is left out, since most titles contain it. */
export const usualColumns = (roomy: boolean): string[] => defaultColumns.filter((id) => roomy || id !== 'rule');

const isFixed = ({ id }: FindingColumn) => id === 'title' || id === 'severity';

/** All columns to choose from, those with these ids first and in that order. */
export const orderedColumns = (ids: readonly string[]): FindingColumn[] => {
  const placeOfId = ({ id }: FindingColumn) => (ids.includes(id) ? ids.indexOf(id) : ids.length);
  return columns.filter((column) => !isFixed(column)).toSorted((a, b) => placeOfId(a) - placeOfId(b));
};

/**
 * Severity and title, then the columns with these ids in that order, without columns that are empty for every finding.
 * The array is the same while the columns are: rows with the same properties are not rendered again.
 */
export function useColumns(ids: readonly string[], findings: readonly ListedFinding[]): FindingColumn[] {
  const chosen = orderedColumns(ids).filter(
    ({ id, isEmpty }) => ids.includes(id) && !(isEmpty && findings.every(isEmpty)),
  );
  const shown = [...columns.filter(isFixed), ...chosen];
  const key = shown.map(({ id }) => id).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ids say which columns they are
  return useMemo(() => shown, [key]);
}
