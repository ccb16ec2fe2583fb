import type { Advisories } from '../contract/advisory.ts';

/** No advisories: for scans without a database, and tests of other sources. */
export const noAdvisories: Advisories = { exist: async () => false, find: async () => [] };
