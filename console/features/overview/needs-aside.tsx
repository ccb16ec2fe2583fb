import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useFeed } from '../../api/feeds.ts';
import { useMay } from '../../api/session.ts';
import { openFindings } from '../../api/summary-parameters.ts';
import { useCommands } from '../../keys/registry.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/page.tsx';
import { Load } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { FeedNote } from '../feeds/feed-note.tsx';
import { formatCount } from '../findings/words.ts';
import classes from './overview.module.css';
import { RecentScans } from './parts.tsx';
import { type ToTriage, toTriageQuery, totalQuery } from './queries.ts';

/** Opens the most urgent new finding beside the list of the new ones. */
function StartTriage({ first }: { first: string }) {
  const navigate = useNavigate();
  const start = () =>
    void navigate({
      to: paths.findings,
      search: { status: 'new', sort: '-priority', view: 'triage', open: first } as never,
    });
  useCommands([{ keys: ['s'], label: 'Start triage', section: 'Overview', run: start }]);
  return (
    <Button kind="primary" hint="s" onClick={start}>
      Start triage
    </Button>
  );
}

function Untriaged({ total, urgent, oldest, first }: ToTriage) {
  const mayChange = useMay('findings:write');
  if (total === 0 || oldest === null || first === null)
    return <p className={classes.muted}>Every finding is triaged.</p>;
  return (
    <>
      <Link to={paths.findings} search={{ status: 'new', view: 'triage' } as never} className={classes.total}>
        {formatCount(total)}
      </Link>
      <p className={classes.muted}>
        {urgent === 0
          ? 'None is critical or high.'
          : `${formatCount(urgent)} ${urgent === 1 ? 'is' : 'are'} critical or high.`}{' '}
        The oldest was found <Time at={oldest} />.
      </p>
      {mayChange && (
        <div>
          <StartTriage first={first} />
        </div>
      )}
    </>
  );
}

const kev = { ...openFindings, kev: 'true' };
const likely = { ...openFindings, epss_min: '0.5' };

function Exploited() {
  const rows = [
    { name: 'Open and on the KEV list', search: kev, feed: useFeed('kev'), count: useQuery(totalQuery(kev)).data },
    { name: 'EPSS above 50 %', search: likely, feed: useFeed('epss'), count: useQuery(totalQuery(likely)).data },
  ];
  return (
    <Section title="Exploited in the wild">
      <ul className={classes.counts}>
        {rows.map(({ name, search, feed, count }) => (
          <li key={name}>
            <Link to={paths.findings} search={search as never}>
              {name}
            </Link>
            <b>{feed?.status === 'not_loaded' ? 'Unknown' : feed && count !== undefined ? formatCount(count) : '–'}</b>
          </li>
        ))}
      </ul>
      <p className={classes.note}>
        <FeedNote name="kev" />
      </p>
    </Section>
  );
}

/** The findings to triage, the exploited ones and failed scans. Each waits for the one above, so that none moves. */
export function NeedsAside({ mayScans }: { mayScans: boolean }) {
  const triage = useQuery(toTriageQuery);
  const kevFeed = useFeed('kev');
  return (
    <>
      <Section title="Needs triage">
        <Load query={triage} rows={4}>
          {(found) => <Untriaged {...found} />}
        </Load>
      </Section>
      {!triage.isPending && <Exploited />}
      {!triage.isPending && kevFeed && mayScans && <RecentScans />}
    </>
  );
}
