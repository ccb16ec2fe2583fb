import { type FeedName, useFeed } from '../../api/feeds.ts';
import type { Filters } from '../../filters/filters.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/states.tsx';
import { FeedNote } from '../feeds/feed-note.tsx';
import type { FindingColumn } from './columns.tsx';
import classes from './page.module.css';

/** The feeds that filters depend on. */
const feedsAsked = (filters: Filters): FeedName[] => [
  ...(filters.kev === undefined ? [] : (['kev'] as const)),
  ...(filters.epss_min === undefined ? [] : (['epss'] as const)),
];

/** Shows whether and when the feeds that the list depends on were loaded. */
export function FeedNotes({ filters, columns }: { filters: Filters; columns: FindingColumn[] }) {
  const asked = feedsAsked(filters);
  const shown = (['kev', 'epss'] as const).filter((name) => columns.some(({ id }) => id === name));
  if (asked.length + shown.length === 0) return null;
  return (
    <div className={classes.feeds} role="note">
      {asked.map((name) => (
        <FeedNote key={name} name={name} />
      ))}
      {shown
        .filter((name) => !asked.includes(name))
        .map((name) => (
          <FeedNote key={name} name={name} missing />
        ))}
    </div>
  );
}

/** Says that a finding is not in a feed, or that the feed is not loaded. */
export function NotNamed({ feed, says }: { feed: FeedName; says: string }) {
  const loaded = useFeed(feed);
  return (
    <>
      {loaded && loaded.status !== 'not_loaded' && `${says} `}
      <FeedNote name={feed} />
    </>
  );
}

/** An empty list: nothing matches, or that is unknown because a feed is not loaded. */
export function NothingMatches({ filters, onClear }: { filters: Filters; onClear: () => void }) {
  const [asked] = feedsAsked(filters);
  const isUnknown = useFeed(asked ?? 'kev')?.status === 'not_loaded' && asked !== undefined;
  return (
    <Empty title={isUnknown ? 'Not known yet' : 'Nothing matches these filters'}>
      {isUnknown && <p>Matches are known once the feed is loaded.</p>}
      <Button onClick={onClear}>Clear filters</Button>
    </Empty>
  );
}
