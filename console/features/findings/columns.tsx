import { type ReactNode, useMemo } from 'react';
import { type FeedName, useFeed } from '../../api/feeds.ts';
import { Age } from '../../ui/time.tsx';
import { RowNote } from './conflict-note.tsx';
import { Due } from './due.tsx';
import type { ListedFinding } from './listed-finding.ts';
import { SeverityMark, StatusMark, Tag } from './marks.tsx';
import classes from './table.module.css';
import { formatShare, isCve, placeOf } from './words.ts';

export type FindingColumn = {
  id: string;
  title: string;
  /** A value of `grid-template-columns`. */
  width: string;
  /** The member of findings that it shows, `id` by default: its heading chooses the orders by it, one after the other. */
  field?: string;
  cell: (finding: ListedFinding, now: number) => ReactNode;
  /** Whether its cell is empty for a finding. */
  isEmpty?: (finding: ListedFinding) => boolean;
};

const Title = ({ finding }: { finding: ListedFinding }) => (
  <span className={classes.title}>
    <span className={classes.name} title={finding.title}>
      {finding.title}
    </span>
    <span className={classes.place}>
      <bdi dir="ltr">{placeOf(finding)}</bdi>
    </span>
    <RowNote id={finding.id} />
  </span>
);

const Plain = ({ text }: { text: string }) => (
  <span className={classes.plain} title={text}>
    {text}
  </span>
);

/** The cell of a finding that a feed does not name: empty, or a note that the feed is not loaded. */
function Unknown({ finding: { identifiers }, feed }: { finding: ListedFinding; feed: FeedName }) {
  const isUnknown = useFeed(feed)?.status === 'not_loaded';
  return isUnknown && identifiers.some(isCve) ? <span className={classes.plain}>Unknown</span> : null;
}

export const columns: FindingColumn[] = [
  {
    id: 'severity',
    title: 'Severity',
    width: '72px',
    cell: ({ severity }) => <SeverityMark severity={severity} />,
  },
  { id: 'title', title: 'Finding', width: 'minmax(200px, 6fr)', cell: (finding) => <Title finding={finding} /> },
  { id: 'status', title: 'Status', width: '104px', cell: ({ status }) => <StatusMark status={status} /> },
  {
    id: 'data_source',
    title: 'Data source',
    width: 'minmax(96px, 1.4fr)',
    cell: ({ data_source }) => <Plain text={data_source.name} />,
  },
  { id: 'rule', title: 'Rule', width: 'minmax(72px, 1fr)', cell: ({ rule }) => <Plain text={rule.name || rule.id} /> },
  {
    id: 'assignee',
    isEmpty: ({ assignee }) => assignee === null,
    title: 'Assignee',
    width: 'minmax(64px, 0.7fr)',
    cell: ({ assignee }) => (assignee ? <Plain text={assignee.name} /> : null),
  },
  {
    id: 'tags',
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
    title: 'Age',
    width: '50px',
    field: 'first_seen_at',
    cell: ({ first_seen_at }, now) => <Age at={first_seen_at} now={now} />,
  },
  {
    id: 'due',
    isEmpty: ({ due_at }) => due_at === null,
    title: 'Due',
    width: '70px',
    field: 'due_at',
    cell: ({ due_at }, now) => <Due at={due_at} now={now} />,
  },
  {
    id: 'epss',
    title: 'EPSS',
    width: '56px',
    cell: (finding) => (finding.epss === null ? <Unknown finding={finding} feed="epss" /> : formatShare(finding.epss)),
  },
  {
    id: 'kev',
    title: 'Exploited',
    width: '78px',
    cell: (finding) => (finding.kev === null ? <Unknown finding={finding} feed="kev" /> : 'Yes'),
  },
  {
    id: 'context',
    isEmpty: ({ context }) => context === null,
    title: 'Context',
    width: '64px',
    cell: ({ context }) => (context === null ? null : 'Test'),
  },
  { id: 'priority', title: 'Priority', width: '60px', cell: ({ priority }) => priority },
  {
    id: 'last_seen',
    field: 'last_seen_at',
    title: 'Last seen',
    width: '66px',
    cell: ({ last_seen_at }, now) => <Age at={last_seen_at} now={now} />,
  },
  {
    id: 'cvss',
    isEmpty: ({ cvss_score }) => cvss_score === null,
    field: 'cvss_score',
    title: 'CVSS',
    width: '56px',
    cell: ({ cvss_score }) => (cvss_score === null ? null : cvss_score.toFixed(1)),
  },
  {
    id: 'identifiers',
    isEmpty: ({ identifiers }) => identifiers.length === 0,
    title: 'Identifiers',
    width: 'minmax(90px, 1fr)',
    cell: ({ identifiers }) => <Plain text={identifiers.join(', ')} />,
  },
  {
    id: 'package',
    isEmpty: ({ location }) => location.package === null,
    title: 'Package',
    width: 'minmax(90px, 1fr)',
    cell: ({ location }) => <Plain text={location.package ? location.package.name : ''} />,
  },
  { id: 'number', title: 'Number', width: '76px', cell: ({ number }) => number },
  { id: 'occurrences', title: 'Places', width: '60px', cell: ({ occurrences }) => occurrences },
  {
    id: 'reopened',
    isEmpty: ({ reopened_count }) => reopened_count === 0,
    title: 'Reopened',
    width: '76px',
    cell: ({ reopened_count }) => reopened_count || null,
  },
];

const defaultColumns = ['severity', 'title', 'status', 'data_source', 'rule', 'assignee', 'tags', 'age', 'due'];

/**
 * The ids of the columns of a person who chose none. Without room for all, they leave out the rule, which most titles
 * say.
 */
export const usualColumns = (roomy: boolean): string[] => defaultColumns.filter((id) => roomy || id !== 'rule');

/**
 * The columns with these ids in the order of the table, title and severity always, without those in which no finding has anything. The
 * same array while they are the same: rows with the same properties are not drawn again.
 */
export function useColumns(ids: readonly string[], findings: readonly ListedFinding[]): FindingColumn[] {
  const shown = columns.filter(
    ({ id, isEmpty }) =>
      id === 'title' || id === 'severity' || (ids.includes(id) && !(isEmpty && findings.every(isEmpty))),
  );
  const key = shown.map(({ id }) => id).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ids say which columns they are
  return useMemo(() => shown, [key]);
}
