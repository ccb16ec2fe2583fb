import { pathToFileURL } from 'node:url';
import { createGuardedFetch } from '@assay/scanner/platform/egress/guarded-request.ts';
import { HostNotFound, NetworkRefusal } from '@assay/scanner/platform/egress/network-policy.ts';
import { startEgressProxy } from '../platform/egress/egress-proxy.ts';
import { ApiError } from '../platform/errors.ts';
import { limited } from '../platform/http/failed-authentications.ts';
import { createMemoryRateLimiter, type Rate } from '../platform/rate-limit/rate-limit.ts';
import { checkRepository } from './connectors/check-repository.ts';
import { RepositoryError, type RepositoryFailure } from './connectors/git-failure.ts';
import type { NewDataSource } from './create-data-source.ts';
import { requireFittingCredential } from './credential.ts';
import { readGitAddress } from './git-address.ts';
import { findLocalRepository } from './local-repository.ts';
import { normaliseTarget, type TargetRules } from './read-target.ts';
import type { Target } from './target.ts';

export const connectionCodes = [
  'ok',
  'refused',
  'host_not_found',
  'unreachable',
  'timeout',
  'untrusted',
  'authentication_failed',
  'invalid_credential',
  'not_found',
  'branch_not_found',
  'empty',
  'unavailable',
  'failed',
] as const;
type ConnectionCode = (typeof connectionCodes)[number];
export type ConnectionTest = { reachable: boolean; code: ConnectionCode; message: string };

/** Ten at once, then one every six seconds, for an organization on each node. */
const defaultRate: Rate = { requestsPerMinute: 10, burstPerMinute: 20 };
const timeoutMs = 30_000;

const ok = (message: string): ConnectionTest => ({ reachable: true, code: 'ok', message });
const failed = (code: ConnectionCode, message: string): ConnectionTest => ({ reachable: false, code, message });

const otherwise: Partial<Record<RepositoryFailure, ConnectionCode>> = {
  invalid_url: 'failed',
  too_large: 'failed',
  interrupted: 'failed',
  aborted: 'timeout',
};

/** Certificates and TLS versions that Node.js does not accept. */
const untrusted = /^(CERT_|ERR_TLS|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/** Returns the result for a connection error; other errors are thrown. Nothing sent by the other side is repeated. */
function resultOf(error: unknown): ConnectionTest {
  if (error instanceof RepositoryError) {
    return failed(otherwise[error.reason] ?? (error.reason as ConnectionCode), error.message);
  }
  if (error instanceof NetworkRefusal) return failed('refused', error.message);
  if (error instanceof HostNotFound) return failed('host_not_found', error.message);
  if (error instanceof ApiError) throw error;
  const { name, code, message } = error as Error & { code?: string };
  if (name === 'TimeoutError' || name === 'AbortError') {
    return failed('timeout', `The host did not respond within ${timeoutMs / 1000} seconds.`);
  }
  if (message.includes('redirects more than')) return failed('failed', 'The address redirects endlessly.');
  if (code === undefined) throw error;
  if (untrusted.test(code)) return failed('untrusted', 'The certificate of the host is not trusted by this machine.');
  return failed('unreachable', 'The host could not be reached, or broke the connection.');
}

/**
 * Tests configurations of data sources from the API, under the policy of scans, without saving anything. A test ends
 * within about half a minute, and the rate per organization is limited.
 */
export class Connections {
  readonly #rules: TargetRules;
  readonly #rate: Rate;
  readonly #limiter = createMemoryRateLimiter();

  constructor(rules: TargetRules, rate = defaultRate) {
    this.#rules = rules;
    this.#rate = rate;
  }

  /** Throws 400 for a configuration that could not be saved, and 429 beyond the limit. */
  async test(orgId: string, given: NewDataSource): Promise<ConnectionTest> {
    const { credential = null, ...config } = given.config ?? {};
    const target = await normaliseTarget(orgId, given.kind, config, this.#rules);
    if (credential !== null) requireFittingCredential(credential, readGitAddress(config.url!).scheme);
    const allowance = await this.#limiter.take(orgId, this.#rate);
    if (!allowance.allowed) throw limited(allowance, 'Too many connections were tried.');
    try {
      return await this.#connect(orgId, given, target);
    } catch (error) {
      return resultOf(error);
    }
  }

  async #connect(orgId: string, given: NewDataSource, target: Target): Promise<ConnectionTest> {
    const { networkPolicy } = this.#rules;
    if (given.kind === 'upload') return ok('An upload needs no connection: its results are imported.');
    if (target.endpoint !== null) await networkPolicy.check(target.endpoint.host, target.endpoint.port);
    if (given.kind === 'git_repository') return this.#connectGit(orgId, given, target);
    if (given.kind === 'host') {
      return ok('The host has an address that scans may reach. The test does not contact it.');
    }
    const { host, port } = target.endpoint!;
    const isWebsite = given.kind === 'website';
    const stop = new AbortController();
    try {
      const url = isWebsite ? String(target.config.url) : `https://${host}:${port}/v2/`;
      // The scan of a website reports its certificate as a finding, instead of failing because of it.
      const tls = { rejectUnauthorized: !isWebsite };
      const { status } = await createGuardedFetch(networkPolicy)(url, { timeoutMs, signal: stop.signal, tls });
      if (isWebsite) return ok(`The website responded with the status ${status}.`);
      if (status === 200 || status === 401) {
        return ok('The registry responded. The test does not check whether it has the image and lets scans pull it.');
      }
      return failed('failed', `There seems to be no registry at this address: it responded with the status ${status}.`);
    } finally {
      stop.abort();
    }
  }

  async #connectGit(orgId: string, { config = {} }: NewDataSource, target: Target): Promise<ConnectionTest> {
    const { url, branch = null } = target.config;
    const findLocal = async () => findLocalRepository(url!, await this.#rules.localRepositories(orgId));
    const local = url!.startsWith('file:') ? await findLocal() : null;
    await using proxy = await startEgressProxy({
      policy: this.#rules.networkPolicy,
      maxConnections: 16,
      maxDurationMs: 2 * timeoutMs,
      maxBytes: 64 * 2 ** 20,
    });
    const found = await checkRepository({
      url: local === null ? url! : pathToFileURL(local.gitDirectory).href,
      branch: branch ?? null,
      credential: config.credential ?? null,
      proxyUrl: proxy.url,
      allowFile: local !== null,
      recheckFile: local === null ? undefined : async () => void (await findLocal()),
      timeoutMs,
    });
    return ok(`The repository can be read. Scans will read the branch ${found.branch}.`);
  }
}
