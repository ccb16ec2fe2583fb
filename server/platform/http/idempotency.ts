import { createHash, type Hash, randomBytes } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, invalid } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Database, Db } from '../postgres/database.ts';
import type { Actor } from './actor.ts';
import {
  claimKey,
  extendLease,
  findResponse,
  type KeyOwner,
  leaseMs,
  releaseKey,
  type StoredResponse,
  storeResponse,
} from './idempotency-queries.ts';

type Transaction = <T>(run: (tx: Db) => Promise<T>) => Promise<T>;

/** A request with a key. `run` does the work and returns the body to send; `write` converts a result to that form. */
export type IdempotentCall = {
  request: FastifyRequest;
  reply: FastifyReply;
  actor: Actor;
  /** The organization in whose transactions the call writes; null for one that changes the person's account. */
  orgId: string | null;
  sensitive: boolean;
  body: unknown;
  upload: Readable | null;
  run(transaction: Transaction, upload: Readable | null): Promise<unknown>;
  write(reply: FastifyReply, result: unknown): unknown;
};

const keyShape = /^[\x21-\x7e]{1,255}$/;
const keptHeaders = ['location', 'etag', 'content-type'];

/**
 * Returns the Idempotency-Key of a request to a route that supports it; null when it has none. Throws 400 for a key
 * that is not 1-255 visible ASCII characters.
 */
export function idempotencyKeyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key === 'string' && keyShape.test(key)) return key;
  throw invalid('header', 'Idempotency-Key', 'must be 1 to 255 visible ASCII characters');
}

function startHash(request: FastifyRequest): Hash {
  return createHash('sha256').update(`${request.method} ${request.raw.url}\n`);
}

/** Returns the upload as a stream that is hashed while it is read. The hash is complete when the stream ends. */
function hashing(upload: Readable, hash: Hash): Readable {
  const pass = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  upload.on('error', (error) => pass.destroy(error));
  upload.on('aborted', () => pass.destroy(new Error('The client went away.')));
  return upload.pipe(pass);
}

const inProgress = () =>
  new ApiError(
    'idempotency_in_progress',
    'Idempotency-Key: the first call with this key is still running. Try again shortly.',
    {
      headers: { 'Retry-After': '1' },
    },
  );

const conflict = (why: string) => new ApiError('idempotency_conflict', `Idempotency-Key: ${why}`);

/** Returns the response of the first call if this is a repetition of it. */
async function replay(call: IdempotentCall, stored: StoredResponse): Promise<unknown> {
  if (stored.status === null) throw inProgress();
  const hash = startHash(call.request);
  if (call.upload)
    await pipeline(call.upload, async (chunks) => {
      for await (const chunk of chunks) hash.update(chunk);
    });
  else hash.update(JSON.stringify(call.body) ?? '');
  if (!stored.fingerprint?.equals(hash.digest())) {
    throw conflict('this key was used with another request. Use a new key for a new request.');
  }
  if (stored.body_withheld) {
    throw conflict(
      'this request was carried out already. Its response holds a secret that is shown only once, so it cannot be repeated. To get another secret, send the request with a new key.',
    );
  }
  call.reply
    .code(stored.status)
    .headers(stored.headers ?? {})
    .header('Idempotency-Replayed', 'true');
  return stored.body ?? undefined;
}

function responseOf(call: IdempotentCall, payload: unknown, fingerprint: Buffer): StoredResponse {
  const headers: Record<string, string> = {};
  for (const name of keptHeaders) {
    const value = call.reply.getHeader(name);
    if (value !== undefined) headers[name] = String(value);
  }
  const body = call.sensitive || payload === undefined ? null : String(payload);
  return { fingerprint, status: call.reply.statusCode, headers, body, body_withheld: call.sensitive };
}

/**
 * Runs the call as the owner of the key and stores its response. Releases the key when the call fails, since nothing
 * was changed then.
 */
async function runOnce(call: IdempotentCall, owner: KeyOwner, database: Database, log: Log): Promise<unknown> {
  const hash = startHash(call.request);
  const upload = call.upload ? hashing(call.upload, hash) : null;
  if (!upload) hash.update(JSON.stringify(call.body) ?? '');
  let kept: unknown;
  const transaction: Transaction = (run) =>
    database.transaction(owner.orgId, async (tx) => {
      const result = await run(tx);
      if (upload && !upload.readableEnded) return result;
      const payload = call.write(call.reply, result);
      if (!(await storeResponse(tx, owner, responseOf(call, payload, hash.copy().digest())))) throw inProgress();
      kept = payload;
      return result;
    });
  const heartbeat = setInterval(() => extendLease(database, owner).catch(() => {}), leaseMs / 3);
  try {
    const payload = await call.run(transaction, upload);
    const complete = upload === null || upload.readableEnded;
    const keepable = payload === undefined || typeof payload === 'string';
    if (complete && keepable && (kept === undefined || kept !== payload)) {
      // The work is done: a failure to store its response must not turn it into a failure.
      await database
        .transaction(owner.orgId, (tx) => storeResponse(tx, owner, responseOf(call, payload, hash.copy().digest())))
        .catch((err) =>
          log.warn(
            { err, requestId: call.request.id },
            'The response to a request with an Idempotency-Key could not be stored.',
          ),
        );
    }
    return payload;
  } catch (error) {
    await releaseKey(database, owner).catch(() => {});
    throw error;
  } finally {
    clearInterval(heartbeat);
  }
}

/**
 * Runs a request at most once per key: the first call does the work, and repetitions get its response. Failures are
 * not stored, so that they can be retried. If the process of a run dies, its key is released when the lease expires,
 * after 30 seconds. Work done through `transaction` commits together with its response, so it is never repeated.
 */
export async function runIdempotent(call: IdempotentCall, key: string, database: Database, log: Log): Promise<unknown> {
  const { actor } = call;
  const runId = randomBytes(12).toString('base64url');
  const owner = { orgId: call.orgId, userId: actor.userId, credentialId: actor.credentialId, key, runId };
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const fingerprint = call.upload
      ? null
      : startHash(call.request)
          .update(JSON.stringify(call.body) ?? '')
          .digest();
    if (await claimKey(database, owner, fingerprint)) return runOnce(call, owner, database, log);
    const stored = await findResponse(database, owner);
    if (stored) return replay(call, stored);
  }
  throw inProgress();
}
