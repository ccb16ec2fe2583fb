import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { ApiError } from '../../platform/errors.ts';
import { addressKey, limited } from '../../platform/http/failed-authentications.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { giveGuessBack, takeGuess } from './guess-limit-queries.ts';

/**
 * Delays attempts, all by the same time. When too many are waiting, the one that has waited longest continues at
 * once: none is refused, and neither memory nor the delay grows.
 */
export class WaitingRoom {
  readonly #waitMs: number;
  readonly #maxWaiting: number;
  /** The callbacks that let the attempts continue, in the order of arrival. */
  readonly #waiting = new Set<() => void>();

  constructor({ waitMs, maxWaiting }: { waitMs: number; maxWaiting: number }) {
    this.#waitMs = waitMs;
    this.#maxWaiting = maxWaiting;
  }

  get size(): number {
    return this.#waiting.size;
  }

  wait(): Promise<void> {
    const [longest] = this.#waiting;
    if (longest && this.#waiting.size >= this.#maxWaiting) longest();
    return new Promise((resolve) => {
      const release = () => {
        clearTimeout(timer);
        this.#waiting.delete(release);
        resolve();
      };
      const timer = setTimeout(release, this.#waitMs);
      this.#waiting.add(release);
    });
  }
}

/** Allows `burst` wrong guesses at once, then one every `everySeconds`. */
type CountedLimit = { key: string; burst: number; everySeconds: number };

/** A limit that refuses. `what` names the excess. */
type GuessLimit = CountedLimit & { what: string };

/** The refusal of a wrong password or code. */
export class WrongGuess extends ApiError {}

const addressLimit = (address: string): GuessLimit => ({
  key: addressKey(address),
  burst: 20,
  everySeconds: 3,
  what: 'Too many wrong passwords from this address.',
});

const hashed = (text: string) => createHash('sha256').update(text).digest('base64url');

/** Counts by the email address as sent, whether or not an account exists, so that both get the same response. */
const pairLimit = (address: string, email: string): GuessLimit => ({
  key: `pair:${hashed(`${addressKey(address)} ${email}`)}`,
  burst: 10,
  everySeconds: 60,
  what: 'Too many wrong passwords for this account from this address.',
});

/** This limit only delays: if it refused, anyone who knows an email address could lock its person out. */
const accountLimit = (email: string) => ({ key: `account:${hashed(email)}`, burst: 10, everySeconds: 60 });

const sessionLimit = (sessionId: string): GuessLimit => ({
  key: `session:${sessionId}`,
  burst: 10,
  everySeconds: 60,
  what: 'Too many wrong passwords or codes in this session.',
});

const deviceLimit = (device: string) => ({ key: `device:${device}`, burst: 10, everySeconds: 60 });

const tooMany = (limit: GuessLimit, seconds: number) =>
  limited({ allowed: false, remaining: 0, resetSeconds: seconds, retryAfterSeconds: seconds }, limit.what);

/** The rate for an address above its limit: one attempt a second on each node, with at most this many waiting. */
const pace = { everyMs: 1_000, maxWaiting: 10 };

/**
 * The delay of unknown browsers on an account with many wrong passwords, and the maximum number waiting on this node.
 */
const slowing = { waitMs: 1_000, maxWaiting: 1_000 };

/**
 * Limits wrong passwords and codes across all nodes. A guess is counted before it is checked, so that simultaneous
 * guesses count too, and given back when it was right.
 *
 * A browser that has signed in to the account has its own limit (OWASP's device cookies), and so does a session:
 * unknown browsers can't use them up. Those are limited by their address, and by address and account together. Beyond
 * the limit of the account they are only delayed by a second, so that nobody can lock its person out.
 *
 * An address above its limit may be a NAT or a proxy with other people behind it: a right password still works there, a
 * wrong one is 429, and only one attempt a second is checked, so that trying many accounts from one address stays slow.
 */
export class GuessLimits {
  readonly #database: Database;
  readonly #lanes = new Map<string, { last: Promise<void>; waiting: number }>();
  readonly #slowed = new WaitingRoom(slowing);

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Runs `check`, which throws WrongGuess for a wrong guess, when the person is not known yet. Throws `rate_limited`.
   */
  attempt<T>(address: string, check: () => Promise<T>): Promise<T> {
    return this.#count([], (taken) => this.#fromAddress(address, taken, check));
  }

  /** Runs `check`, which throws WrongGuess, for the person of a session. Throws `rate_limited`. */
  async attemptInSession<T>(sessionId: string, check: () => Promise<T>): Promise<T> {
    const limit = sessionLimit(sessionId);
    const seconds = await takeGuess(this.#database, limit);
    if (seconds > 0) throw tooMany(limit, seconds);
    return this.#count([limit], check);
  }

  /** Runs `check`, which throws WrongGuess, for a browser that is new to the account. Throws `rate_limited`. */
  async attemptAsStranger<T>(address: string, email: string, check: () => Promise<T>): Promise<T> {
    const pair = pairLimit(address, email);
    const seconds = await takeGuess(this.#database, pair);
    if (seconds > 0) throw tooMany(pair, seconds);
    return this.#count([pair], async (taken) => {
      const account = accountLimit(email);
      const isSlow = (await takeGuess(this.#database, account)) > 0;
      if (!isSlow) taken.push(account);
      return this.#fromAddress(address, taken, async () => {
        if (isSlow) await this.#slowed.wait();
        return check();
      });
    });
  }

  /**
   * Runs `check`, which throws WrongGuess, for a browser with these names (`findDevice`). `check` gets the names
   * whose limit is not used up. Returns null without a check when all are: the browser then counts as unknown.
   */
  async attemptByDevice<T>(devices: string[], check: (allowed: string[]) => Promise<T>): Promise<T | null> {
    const allowed: string[] = [];
    for (const device of devices) {
      if ((await takeGuess(this.#database, deviceLimit(device))) === 0) allowed.push(device);
    }
    if (allowed.length === 0) return null;
    return this.#count(allowed.map(deviceLimit), () => check(allowed));
  }

  /** Gives the guesses in `taken` back unless `run` ends with a wrong guess; `run` may take more. */
  async #count<T>(taken: CountedLimit[], run: (taken: CountedLimit[]) => Promise<T>): Promise<T> {
    try {
      const result = await run(taken);
      await this.#giveBack(taken);
      return result;
    } catch (error) {
      const isWrong = error instanceof WrongGuess || error instanceof TooManyWrongGuesses;
      if (!isWrong) await this.#giveBack(taken);
      throw error instanceof TooManyWrongGuesses ? error.refusal : error;
    }
  }

  async #fromAddress<T>(address: string, taken: CountedLimit[], check: () => Promise<T>): Promise<T> {
    const ofAddress = addressLimit(address);
    const seconds = await takeGuess(this.#database, ofAddress);
    if (seconds > 0) return this.#beyond(ofAddress, seconds, check);
    taken.push(ofAddress);
    return check();
  }

  /** Returns whether a correct code is used for the first time. Codes of authenticators are valid for two minutes. */
  async isFirstUse(userId: string, code: string, validSeconds = 120): Promise<boolean> {
    const key = `code:${createHash('sha256').update(`${userId} ${code}`).digest('base64url')}`;
    return (await takeGuess(this.#database, { key, burst: 1, everySeconds: validSeconds })) === 0;
  }

  /**
   * Returns whether the correct password of one account may also be tried on the other accounts of its email address:
   * 3 times, then once in ten minutes. Otherwise, a person who knows one password could change it repeatedly to guess
   * another.
   */
  async mayTryOthers(address: string, email: string): Promise<boolean> {
    const key = `others:${hashed(`${addressKey(address)} ${email}`)}`;
    return (await takeGuess(this.#database, { key, burst: 3, everySeconds: 600 })) === 0;
  }

  /** Allows an address to request 10 mails at once, then one a minute. Throws `rate_limited`. */
  async limitMails(address: string): Promise<void> {
    const key = `mails:${addressKey(address)}`;
    const limit = { key, burst: 10, everySeconds: 60, what: 'Too many emails were requested from this address.' };
    const seconds = await takeGuess(this.#database, limit);
    if (seconds > 0) throw tooMany(limit, seconds);
  }

  /**
   * Allows an address to start 100 sign-ins with a passkey or at a provider at once, then one a second: each is
   * stored as a row until it expires. Throws `rate_limited`.
   */
  async limitCeremonies(address: string): Promise<void> {
    const key = `ceremonies:${addressKey(address)}`;
    const limit = { key, burst: 100, everySeconds: 1, what: 'Too many sign-ins were started from this address.' };
    const seconds = await takeGuess(this.#database, limit);
    if (seconds > 0) throw tooMany(limit, seconds);
  }

  /** Returns whether another mail of this kind may be sent to a person: 3 at once, then one in ten minutes. */
  async mayMail(what: string): Promise<boolean> {
    const key = `mail:${createHash('sha256').update(what).digest('base64url')}`;
    return (await takeGuess(this.#database, { key, burst: 3, everySeconds: 600 })) === 0;
  }

  async #giveBack(taken: CountedLimit[]): Promise<void> {
    for (const limit of taken) await giveGuessBack(this.#database, limit);
  }

  /** Checks a guess from an address beyond its limit, when its turn comes. */
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

/** A wrong guess from an address beyond its limit: counted for the account, and refused as too many. */
class TooManyWrongGuesses extends Error {
  readonly refusal: ApiError;

  constructor(refusal: ApiError) {
    super(refusal.message);
    this.refusal = refusal;
  }
}
