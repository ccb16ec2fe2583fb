import type { Advisories } from '../contract/advisory.ts';

/** Where none can be had: a scan without a database, or a test of another source. */
export const noAdvisories: Advisories = { exist: async () => false, find: async () => [] };
