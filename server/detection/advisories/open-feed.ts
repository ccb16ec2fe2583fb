import { createGuardedFetch } from '../../platform/egress/guarded-request.ts';
import type { NetworkPolicy } from '../../platform/egress/network-policy.ts';
import { directoryFeed, type Feed, webFeed } from './feed.ts';
import { isUrl } from './opened-file.ts';

/** Opens a directory, or the base URL of an export, which the network policy must allow. */
export const openFeed = (from: string, policy: NetworkPolicy): Feed =>
  isUrl(from) ? webFeed(from, createGuardedFetch(policy)) : directoryFeed(from);
