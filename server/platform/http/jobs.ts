import type { Database } from '../postgres/database.ts';
import { purgeIdempotencyKeys } from './idempotency-queries.ts';

export const httpTicks = [
  {
    name: 'Removing expired idempotency keys',
    everyMs: 60_000,
    run: async ({ database }: { database: Database }) => {
      await purgeIdempotencyKeys(database);
    },
  },
];
