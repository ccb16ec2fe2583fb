import { createHash } from 'node:crypto';
import { addressKey, limited } from '../platform/http/failed-authentications.ts';
import type { Database } from '../platform/postgres/database.ts';
import { giveGuessBack, takeGuess } from './guess-limit-queries.ts';

/** Allows `burst` wrong guesses at once, then one every `everySeconds`. */
export type GuessLimit = { key: string; burst: number; everySeconds: number; what: string };

const addressLimit = (address: string): GuessLimit => ({
  key: addressKey(address),
  burst: 20,
  everySeconds: 3,
  what: 'Too many wrong passwords from this address.',
});

/**
 * Counts by the e-mail address as it was sent, whether there is such an account or not, so that both get the same
 * response.
 */
const accountLimit = (email: string): GuessLimit => ({
  key: `account:${createHash('sha256').update(email).digest('base64url')}`,
  burst: 10,
  everySeconds: 60,
  what: 'Too many wrong passwords for this account.',
});

/**
 * Counts wrong passwords and codes by client address and by account, across all nodes. A guess is counted before it is
 * checked, so that simultaneous guesses count too, and uncounted when it was right.
 */
export class GuessLimits {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Counts a guess; `email` is null where no account is named. Returns a function that uncounts it. Throws
   * `rate_limited`.
   */
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
