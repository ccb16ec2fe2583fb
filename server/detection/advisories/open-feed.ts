import { createGuardedFetch } from '../../platform/egress/guarded-request.ts';
import type { NetworkPolicy } from '../../platform/egress/network-policy.ts';
import { directoryFeed, type Feed, webFeed } from './feed.ts';

/** Opens a directory, or the base URL of an export, which the network policy must allow. */
export const openFeed = (from: string, policy: NetworkPolicy): Feed =>
  /^https?:\/\//i.test(from) ? webFeed(from, createGuardedFetch(policy)) : directoryFeed(from);
