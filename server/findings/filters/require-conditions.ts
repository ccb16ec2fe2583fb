import type { TSchema } from 'typebox';
import { invalid } from '../../platform/errors.ts';
import { type Filter, Parameters, type Reading } from '../filter.ts';

/**
 * Throws for a filter that would select all findings: it has no samples, reads nothing from one of them, or has an
 * empty condition for it.
 */
export function requireConditions<Value>(entries: ReadonlyArray<readonly [string, Filter<TSchema, Value>]>): void {
  for (const [name, filter] of entries) {
    const refuse = (message: string) => invalid('query', name, message);
    const reading: Reading = { orgId: 'org', userId: 'user', now: new Date(), refuse };
    if (filter.samples.length === 0) throw new Error(`The filter ${name} has no samples.`);
    for (const sample of filter.samples) {
      const { any, none } = filter.read(sample, reading);
      const values = [any, none].filter((value) => value !== undefined);
      const conditions = values.map((value) => filter.condition(value, new Parameters('org')).trim());
      if (conditions.length === 0 || conditions.includes(''))
        throw new Error(`The filter ${name} has no condition for ${JSON.stringify(sample)}.`);
    }
  }
}
