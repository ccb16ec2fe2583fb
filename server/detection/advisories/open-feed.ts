import { directoryFeed, type Feed, webFeed } from '@assay/scanner/advisories/feed.ts';
import { isUrl } from '@assay/scanner/advisories/opened-file.ts';
import { createGuardedFetch } from '@assay/scanner/platform/egress/guarded-request.ts';
import type { NetworkPolicy } from '@assay/scanner/platform/egress/network-policy.ts';

/** Opens a feed in a directory or at the base URL of an export, which the network policy must allow. */
export const openFeed = (from: string, policy: NetworkPolicy): Feed =>
  isUrl(from) ? webFeed(from, createGuardedFetch(policy)) : directoryFeed(from);
