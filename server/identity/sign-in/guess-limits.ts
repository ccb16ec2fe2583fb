import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { ApiError } from '../../platform/errors.ts';
import { addressKey, limited } from '../../platform/http/failed-authentications.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { giveGuessBack, takeGuess } from './guess-limit-queries.ts';

/** Allows `burst` wrong guesses at once, then one every `everySeconds`. */
type GuessLimit = { key: string; burst: number; everySeconds: number; what: string };

/** The refusal of a wrong password or code. */
export class WrongGuess extends ApiError {}

const addressLimit = (address: string): GuessLimit => ({
  key: addressKey(address),
  burst: 20,
  everySeconds: 3,
  what: 'Too many wrong passwords from this address.',
});

/**
 * Counts by the email address as it was sent, whether there is such an account or not, so that both get the same
 * response.
 */
const accountLimit = (email: string): GuessLimit => ({
  key: `account:${createHash('sha256').update(email).digest('base64url')}`,
  burst: 10,
  everySeconds: 60,
  what: 'Too many wrong passwords for this account.',
});

const tooMany = (limit: GuessLimit, seconds: number) =>
  limited({ allowed: false, remaining: 0, resetSeconds: seconds, retryAfterSeconds: seconds }, limit.what);

/** The rate for an address above its limit: one attempt a second on each node, with at most this many waiting. */
const pace = { everyMs: 1_000, maxWaiting: 10 };

/**
 * Limits wrong passwords and codes by account and by client address, across all nodes. A guess is counted before it is
 * checked, so that simultaneous guesses count too, and uncounted when it was right.
 *
 * An account above its limit is closed until the limit allows another guess. An address above its limit may be a NAT or
 * a proxy with other people behind it: a right password still works there, a wrong one is 429, and only one attempt a
 * second is checked, so that trying many accounts from one address stays slow.
 */
export class GuessLimits {
  readonly #database: Database;
  readonly #lanes = new Map<string, { last: Promise<void>; waiting: number }>();

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Runs `check`, which throws WrongGuess for a wrong guess. `email` is null where no account is named. Throws
   * `rate_limited`.
   */
  async attempt<T>(address: string, email: string | null, check: () => Promise<T>): Promise<T> {
    const account = email === null ? null : accountLimit(email);
    const accountWait = account ? await takeGuess(this.#database, account) : 0;
    if (accountWait > 0) throw tooMany(account!, accountWait);
    const taken = account ? [account] : [];
    try {
      const ofAddress = addressLimit(address);
      const addressWait = await takeGuess(this.#database, ofAddress);
      if (addressWait > 0) return await this.#beyond(ofAddress, addressWait, check);
      taken.push(ofAddress);
      const result = await check();
      await this.#giveBack(taken);
      return result;
    } catch (error) {
      const isWrong = error instanceof WrongGuess || error instanceof TooManyWrongGuesses;
      if (!isWrong) await this.#giveBack(taken);
      throw error instanceof TooManyWrongGuesses ? error.refusal : error;
    }
  }

  /** Returns whether a right code is used for the first time. Codes are valid for less than two minutes. */
  async isFirstUse(userId: string, code: string): Promise<boolean> {
    const key = `code:${createHash('sha256').update(`${userId} ${code}`).digest('base64url')}`;
    return (await takeGuess(this.#database, { key, burst: 1, everySeconds: 120 })) === 0;
  }

  /** Allows an address to ask for 10 mails at once, then one a minute. Throws `rate_limited`. */
  async limitMails(address: string): Promise<void> {
    const key = `mails:${addressKey(address)}`;
    const limit = { key, burst: 10, everySeconds: 60, what: 'Too many emails were requested from this address.' };
    const seconds = await takeGuess(this.#database, limit);
    if (seconds > 0) throw tooMany(limit, seconds);
  }

  /** Returns whether another mail of this kind may be sent to a person: 3 at once, then one in ten minutes. */
  async mayMail(what: string): Promise<boolean> {
    const key = `mail:${createHash('sha256').update(what).digest('base64url')}`;
    return (await takeGuess(this.#database, { key, burst: 3, everySeconds: 600 })) === 0;
  }

  async #giveBack(taken: GuessLimit[]): Promise<void> {
    for (const limit of taken) await giveGuessBack(this.#database, limit);
  }

  /** Checks a guess of an address beyond its limit, in its turn. */
  async #beyond<T>(limit: GuessLimit, seconds: number, check: () => Promise<T>): Promise<T> {
    const lane = this.#lanes.get(limit.key) ?? { last: Promise.resolve(), waiting: 0 };
    if (lane.waiting >= pace.maxWaiting) throw tooMany(limit, seconds);
    this.#lanes.set(limit.key, lane);
    lane.waiting += 1;
    const turn = lane.last;
    lane.last = turn.then(() => wait(pace.everyMs));
    try {
      await lane.last;
      return await check();
    } catch (error) {
      throw error instanceof WrongGuess ? new TooManyWrongGuesses(tooMany(limit, seconds)) : error;
    } finally {
      lane.waiting -= 1;
      if (lane.waiting === 0) this.#lanes.delete(limit.key);
    }
  }
}

/** A wrong guess of an address beyond its limit: counted for the account, and refused as too many. */
class TooManyWrongGuesses extends Error {
  readonly refusal: ApiError;

  constructor(refusal: ApiError) {
    super(refusal.message);
    this.refusal = refusal;
  }
}
