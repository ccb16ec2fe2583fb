import { Link } from '@tanstack/react-router';
import { type Feed, type FeedName, useFeed } from '../../api/feeds.ts';
import { paths } from '../../paths.ts';
import { Time } from '../../ui/time.tsx';

/** The message for each feed that is not loaded: it says which facts are unknown until then. */
const unknown: Record<FeedName, string> = {
  kev: 'The list of exploited vulnerabilities (KEV) is not loaded: whether findings are exploited is unknown.',
  epss: 'EPSS scores are not loaded: the likelihood of exploitation is unknown.',
  advisories: 'Advisories are not loaded: whether packages have known vulnerabilities is unknown.',
};

const loaded: Record<FeedName, string> = { kev: 'KEV', epss: 'EPSS', advisories: 'Advisories' };

/** The next step towards a feed: a link for people who may load it, and the person to ask for others. */
export function FeedStep({ feed: { name, may_load } }: { feed: Feed }) {
  if (!may_load)
    return <>Ask an owner of the organization that runs this installation to load {name === 'kev' ? 'it' : 'them'}.</>;
  return (
    <Link to={paths.dataSources} search={{ feed: name }}>
      {name === 'kev' ? 'Load it' : 'Load them'}
    </Link>
  );
}

/**
 * Shows whether and when a feed was loaded. Empty until that is known; with `missing`, shown only if it was not loaded.
 */
export function FeedNote({ name, missing = false }: { name: FeedName; missing?: boolean }) {
  const feed = useFeed(name);
  if (!feed || (missing && feed.status === 'loaded')) return null;
  if (feed.loaded_at === null)
    return (
      <span>
        {unknown[name]} <FeedStep feed={feed} />
      </span>
    );
  return (
    <span>
      {loaded[name]} loaded <Time at={feed.loaded_at} />
      {feed.status === 'stale' && (
        <>
          , which is old. <FeedStep feed={feed} />
        </>
      )}
    </span>
  );
}
