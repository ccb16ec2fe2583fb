import type { Rate } from '../platform/rate-limit/rate-limit.ts';

/** Returns the rate of an organization's tokens: its own on the enterprise plan if set, else the installation's. */
export function organizationRate(
  organization: { plan: string; rate_limit: number | null; burst_limit: number | null },
  installation: Rate,
): Rate {
  const { plan, rate_limit, burst_limit } = organization;
  if (plan !== 'enterprise' || rate_limit === null || burst_limit === null) return installation;
  return { requestsPerMinute: rate_limit, burstPerMinute: burst_limit };
}
