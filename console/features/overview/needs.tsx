import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { Section } from '../../ui/page.tsx';
import { Empty, Failure, Skeleton } from '../../ui/states.tsx';
import { Due } from '../findings/due.tsx';
import { SeverityMark } from '../findings/marks.tsx';
import { builtInViews, type ListView } from '../findings/views.ts';
import { formatCount, placeOf } from '../findings/words.ts';
import classes from './overview.module.css';
import { type WaitingFindings, waitingQuery } from './queries.ts';

/** The pending work, the most urgent first. Each part is a view of the list. */
const parts: { id: string; title: string; sentence: (count: string) => string }[] = [
  { id: 'due', title: 'Late, or due within a week', sentence: (count) => `${count} late or due within a week` },
  { id: 'mine', title: 'Assigned to you', sentence: (count) => `${count} assigned to you` },
  { id: 'exploited', title: 'Known to be exploited', sentence: (count) => `${count} known to be exploited` },
  { id: 'reopened', title: 'Came back after they were resolved', sentence: (count) => `${count} came back` },
  {
    id: 'expiring',
    title: 'Accepted risks that end within 30 days',
    sentence: (count) => `${count} accepted risks end soon`,
  },
  { id: 'triage', title: 'New, to be triaged', sentence: (count) => `${count} to triage` },
];

const viewOf = (id: string): ListView => builtInViews.find((view) => view.id === id)!;
const searchOf = ({ id, filters, sort }: ListView) => ({ ...filters, ...(sort && { sort }), view: id });

function Waiting({ id, title, data }: { id: string; title: string; data: WaitingFindings }) {
  const view = viewOf(id);
  return (
    <Section
      title={title}
      actions={
        <Link to={paths.findings} search={searchOf(view) as never}>
          {data.total === 1 ? 'Show it' : `All ${formatCount(data.total)}`}
        </Link>
      }
    >
      <ul className={classes.rows}>
        {data.findings.map((finding) => (
          <li key={finding.id}>
            <SeverityMark severity={finding.severity} />
            <Link to={paths.findings} search={{ ...searchOf(view), open: finding.id } as never} title={finding.title}>
              {finding.title}
            </Link>
            <span className={classes.place}>{placeOf(finding)}</span>
            <Due at={finding.due_at} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The person's pending work for today. */
export function Needs() {
  const found = useQueries({ queries: parts.map(({ id }) => waitingQuery(viewOf(id))) });
  const queries = parts.map((part, index) => ({ ...part, query: found[index]! }));
  const failed = queries.find(({ query }) => query.error);
  if (failed) return <Failure error={failed.query.error} onRetry={() => void failed.query.refetch()} />;
  if (queries.some(({ query }) => query.isPending)) return <Skeleton rows={12} />;
  const waiting = queries.filter(({ query }) => query.data!.total > 0);
  if (waiting.length === 0)
    return (
      <Empty title="Nothing waits for you">
        <p>
          Nothing is late, assigned to you or new. <Link to={paths.findings}>All findings</Link>
        </p>
      </Empty>
    );
  const [first, ...others] = waiting.map(({ sentence, query }) => sentence(formatCount(query.data!.total)));
  return (
    <>
      <p className={classes.news}>
        <b>{first}.</b> {others.length > 0 && `${others.join(', ')}.`}
      </p>
      {waiting.map(({ id, title, query }) => (
        <Waiting key={id} id={id} title={title} data={query.data!} />
      ))}
    </>
  );
}
