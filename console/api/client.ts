import { Assay } from '@assay/client';
import { fetchWithClock } from './clock.ts';

/** The API with this browser's session: every request sends its cookie. */
export const assay = new Assay({
  token: null,
  baseUrl: `${location.origin}/api/v1`,
  fetch: fetchWithClock,
  maxRetries: 1,
  timeoutMs: 30_000,
});
