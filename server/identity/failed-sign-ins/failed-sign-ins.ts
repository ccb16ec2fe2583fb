import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { ApiError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { loggedPath } from '../../platform/refusals.ts';
import { WrongGuess } from '../guess-limits/guess-limits.ts';
import { findAccountOfStep, insertFailedSignIns, type NotedFailures } from './failed-sign-in-queries.ts';

/**
 * The methods that were tried: those of a sign-in, a link in a mail, or the password or code that an action requires
 * again.
 */
export const failedMethods = [
  'password',
  'code',
  'recovery_code',
  'passkey',
  'single_sign_on',
  'link',
  'confirmation',
] as const;
export type FailedMethod = (typeof failedMethods)[number];

const methodByOperation: Record<string, FailedMethod> = {
  signIn: 'password',
  signInWithCode: 'code',
  signInWithRecoveryCode: 'recovery_code',
  signInWithPasskey: 'passkey',
  readInvitation: 'link',
  acceptInvitation: 'link',
  resetPassword: 'link',
  confirmEmail: 'link',
};

/** The account of an attempt: the typed address, a person, or the cookie of a sign-in's second step. */
type AttemptedAccount = { email: string } | { userId: string } | { step: string } | null;

type Attempt = { method: FailedMethod; reason: string; account: AttemptedAccount };

/** The form in which accounts appear in the log. */
export type LoggedAccounts = 'hashed' | 'plain';

export type FailedSignInsOptions = {
  database: Database;
  log: Log;
  /** Absent in tests that don't check it. */
  metrics?: Metrics;
  loggedAccounts: LoggedAccounts;
  /** The key of the hashes, the same on every node. */
  key: string;
};

const flushEveryMs = 1_000;
/** Attempts on more accounts and addresses within a second are only logged. */
const maxNoted = 5_000;

/** Returns the reason of a failed sign-in; null when the failure is of another kind. */
function reasonOf({ code }: ApiError, isWrong: boolean, method: FailedMethod): string | null {
  if (code === 'rate_limited') return 'too_many_attempts';
  if (isWrong) return `wrong_${method}`;
  const refusal = method === 'link' ? 'not_found' : 'unauthenticated';
  return code === refusal ? `invalid_${method}` : null;
}

/** Returns the identifier of the second step, which only the browser that sent the right password has. */
function stepOf(request: FastifyRequest): string | null {
  const sent = /(?:^|;\s*)(?:__[A-Za-z]+-)?assay\.two_factor=([^;]+)/.exec(request.headers.cookie ?? '')?.[1];
  const step = sent && /^[\w-]{1,100}/.exec(sent)?.[0];
  return step || null;
}

function accountOf(request: FastifyRequest, method: FailedMethod): AttemptedAccount {
  if (request.actor) return { userId: request.actor.userId };
  const { email } = (request.body ?? {}) as { email?: unknown };
  if (method === 'password' && typeof email === 'string') return { email: email.trim().toLowerCase().slice(0, 254) };
  const step = method === 'code' || method === 'recovery_code' ? stepOf(request) : null;
  return step === null ? null : { step };
}

/**
 * Logs and counts failed sign-ins, and stores those of existing accounts for their people and the audit log. They are
 * written up to a second later, so that a response takes no longer for an account that exists than for any other.
 */
export class FailedSignIns {
  readonly #options: FailedSignInsOptions;
  readonly #count: ReturnType<Metrics['counter']> | null;
  #noted = new Map<string, NotedFailures>();
  readonly #running = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: FailedSignInsOptions) {
    this.#options = options;
    const help = 'Failed sign-ins, by what was tried and why it failed.';
    this.#count = options.metrics?.counter('failed_sign_ins_total', help, ['method', 'reason']) ?? null;
    for (const method of failedMethods) this.#count?.inc({ method, reason: 'too_many_attempts' }, 0);
  }

  /** Records a failed request if it is a failed sign-in, or a wrong password or code within a session. */
  readonly observe = (request: FastifyRequest, failure: ApiError): void => {
    const operation = request.routeOptions.config?.definition?.operationId ?? '';
    const isWrong = failure instanceof WrongGuess;
    const method = methodByOperation[operation] ?? (isWrong && request.actor ? 'confirmation' : null);
    if (method === null) return;
    const reason = reasonOf(failure, isWrong, method);
    if (reason !== null) this.note(request, { method, reason, account: accountOf(request, method) });
  };

  /** Records a failed attempt of a request. */
  note(request: FastifyRequest, attempt: Attempt): void {
    const { method, reason, account } = attempt;
    this.#count?.inc({ method, reason });
    const line = { requestId: request.id, address: request.ip, path: loggedPath(request), method, reason };
    if (account === null || 'email' in account) {
      this.#write(line, account, null);
      return;
    }
    this.#run(
      findAccountOfStep(this.#options.database, account).then((found) =>
        this.#write(line, found && { email: found.email }, found?.id ?? null),
      ),
    );
  }

  #write(
    line: { address: string; method: FailedMethod; reason: string },
    account: { email: string } | null,
    userId: string | null,
  ): void {
    const { log } = this.#options;
    log.warn({ ...line, account: account && this.#shown(account.email), ...(userId && { userId }) }, 'failed sign-in');
    if (account === null) return;
    const key = JSON.stringify([account.email, line.address]);
    const known = this.#noted.get(key);
    if (!known && this.#noted.size >= maxNoted) return;
    const attempts = (known?.attempts ?? 0) + 1;
    const methods = new Set(known?.methods).add(line.method);
    this.#noted.set(key, { email: account.email, address: line.address.slice(0, 64), attempts, methods: [...methods] });
    this.#timer ??= setTimeout(() => this.#flush(), flushEveryMs).unref();
  }

  #shown(email: string): string {
    const { loggedAccounts, key } = this.#options;
    if (loggedAccounts === 'plain') return email;
    return `hmac:${createHmac('sha256', key).update(email).digest('base64url').slice(0, 22)}`;
  }

  #flush(): void {
    this.#timer = undefined;
    const noted = [...this.#noted.values()];
    this.#noted = new Map();
    if (noted.length > 0) this.#run(insertFailedSignIns(this.#options.database, noted));
  }

  #run(work: Promise<void>): void {
    const running = work
      .catch((err: unknown) => this.#options.log.warn({ err }, 'could not keep failed sign-ins'))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Writes recorded attempts. Close it before the database. */
  async close(): Promise<void> {
    await Promise.all(this.#running);
    clearTimeout(this.#timer);
    this.#flush();
    await Promise.all(this.#running);
  }
}
