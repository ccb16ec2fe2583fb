import { createHash } from 'node:crypto';
import { addressKey, limited } from '../platform/http/failed-authentications.ts';
import type { Database } from '../platform/postgres/database.ts';
import { giveGuessBack, takeGuess } from './guess-limit-queries.ts';

/** `burst` wrong guesses at once, then one each `everySeconds`. */
export type GuessLimit = { key: string; burst: number; everySeconds: number; what: string };

const addressLimit = (address: string): GuessLimit => ({
  key: addressKey(address),
  ...{ burst: 20, everySeconds: 3, what: 'Too many wrong passwords from this address.' },
});

/** The e-mail address as it was given, whether there is such an account or not: both are answered alike. */
const accountLimit = (email: string): GuessLimit => ({
  key: `account:${createHash('sha256').update(email).digest('base64url')}`,
  ...{ burst: 10, everySeconds: 60, what: 'Too many wrong passwords for this account.' },
});

/**
 * Counts wrong passwords and codes by client address and by account, over all nodes. A guess is taken before it is checked, so that
 * many at once are counted too, and given back when it was right.
 */
export class GuessLimits {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Takes one guess; `email` null where no account is named. Returns how to give it back. Throws `rate_limited`. */
  async take(address: string, email: string | null): Promise<() => Promise<void>> {
    const limits = [addressLimit(address), ...(email === null ? [] : [accountLimit(email)])];
    const taken: GuessLimit[] = [];
    const giveBack = async () => {
      for (const limit of taken) await giveGuessBack(this.#database, limit);
    };
    for (const limit of limits) {
      const waitSeconds = await takeGuess(this.#database, limit);
      if (waitSeconds === 0) {
        taken.push(limit);
        continue;
      }
      await giveBack();
      const allowance = { allowed: false, remaining: 0, resetSeconds: waitSeconds, retryAfterSeconds: waitSeconds };
      throw limited(allowance, limit.what);
    }
    return giveBack;
  }
}
