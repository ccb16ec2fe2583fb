import { Assay } from '@assay/client';
import { fetchWithClock } from './clock.ts';

/** The API with the session of this browser: its cookie goes with every request. */
export const assay = new Assay({
  token: null,
  baseUrl: `${location.origin}/api/v1`,
  fetch: fetchWithClock,
  maxRetries: 1,
  timeoutMs: 30_000,
});
