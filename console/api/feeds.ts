import { queryOptions, useQuery } from '@tanstack/react-query';
import { callServer } from './call.ts';
import { statusErrorOf } from './errors.ts';

export type FeedName = 'kev' | 'epss' | 'advisories';

/**
 * The feeds of published facts about vulnerabilities. Until a feed is loaded, everything that depends on it is unknown.
 */
export type Feed = {
  name: FeedName;
  status: 'not_loaded' | 'stale' | 'loaded';
  loaded_at: string | null;
  has_source: boolean;
  may_load: boolean;
};

export const feedsQuery = queryOptions({
  queryKey: ['feeds'],
  queryFn: async () => (await callServer<{ data: Feed[] }>('GET', '/api/v1/feeds')).data,
  staleTime: 60_000,
});

/** Returns one feed; undefined until it is known. */
export function useFeed(name: FeedName): Feed | undefined {
  const { data } = useQuery(feedsQuery);
  return data?.find((feed) => feed.name === name);
}

export const feedNames: Record<FeedName, string> = {
  kev: 'Exploited (KEV)',
  epss: 'Likelihood (EPSS)',
  advisories: 'Advisories',
};

/** Requests that a worker load all feeds from the operator's sources. */
export const loadFeeds = (): Promise<void> => callServer('POST', '/api/v1/feeds/load', {});

export type LoadedFeed = { added: number; changed: number; removed: number; unchanged: number };

/** Replaces a feed with a file, which is streamed. */
export async function uploadFeed(name: FeedName, file: File, ecosystem: string): Promise<LoadedFeed> {
  const query = ecosystem === '' ? '' : `?${new URLSearchParams({ ecosystem })}`;
  const response = await fetch(`/api/v1/feeds/${name}/upload${query}`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/octet-stream' },
    body: file,
    credentials: 'same-origin',
  });
  const text = await response.text();
  if (!response.ok) throw statusErrorOf(response, text);
  return JSON.parse(text) as LoadedFeed;
}
