import { normalizeHost } from '@assay/scanner/platform/egress/host-name.ts';
import { HostNotFound, type NetworkPolicy, NetworkRefusal } from '@assay/scanner/platform/egress/network-policy.ts';
import { invalid } from '../platform/errors.ts';
import { isBranchName } from './connectors/git-url.ts';
import { readGitAddress } from './git-address.ts';
import { readImageReference } from './image-reference.ts';
import type { DataSourceKind } from './kind.ts';
import { findLocalRepository, type LocalRepositories } from './local-repository.ts';
import { maxAddressLength, requirePlainText, type Target } from './target.ts';
import { readWebsiteUrl } from './website-url.ts';

const field = 'config.address';

/** Parses the name or IP address of a single host, without range, port or URL. Throws a 400 for `config.address`. */
export function readHostAddress(text: string): Target {
  requirePlainText(field, text);
  // Nmap would read 10.0.0.1-20 as twenty hosts, although it could be a name.
  if (/^[^/]*\/\d+$/.test(text) || (/^[\d.*-]+$/.test(text) && /[*-]/.test(text)))
    throw invalid('body', field, 'must be one host, not a range: add each host that is to be scanned');
  const host = normalizeHost(text);
  if (host === null)
    throw invalid('body', field, 'must be a host name or an IP address, without a scheme, port or path');
  return { config: { address: host }, address: host, endpoint: { host }, suggestedName: host };
}

export type TargetRules = {
  networkPolicy: NetworkPolicy;
  localRepositories: LocalRepositories;
};

/** The `config` fields of all kinds. The request's schema has checked which of them the kind has. */
export type GivenConfig = {
  url?: string;
  branch?: string | null;
  branches?: 'all' | null;
  address?: string;
  reference?: string;
};

const readers: Record<
  DataSourceKind,
  (config: GivenConfig, rules: TargetRules, orgId: string) => Target | Promise<Target>
> = {
  git_repository: readRepository,
  website: (config) => readWebsiteUrl(config.url!),
  host: (config) => readHostAddress(config.address!),
  container_image: (config) => readImageReference(config.reference!),
  upload: () => ({ config: {}, address: null, endpoint: null, suggestedName: null }),
};

const addressFields: Partial<Record<DataSourceKind, string>> = {
  git_repository: 'config.url',
  website: 'config.url',
  host: 'config.address',
  container_image: 'config.reference',
};

/**
 * Normalizes a data source's `config` and checks that the network policy allows it. A name that does not resolve is
 * accepted: it may resolve where or when the scan runs, and is checked again then. Throws a 400 that names the field.
 * Call it outside transactions, since it resolves names by DNS.
 */
export async function readTarget(
  orgId: string,
  kind: DataSourceKind,
  config: GivenConfig,
  rules: TargetRules,
): Promise<Target> {
  const target = await normaliseTarget(orgId, kind, config, rules);
  if (target.endpoint !== null) await requireReachable(fieldOf(kind), target.endpoint, rules.networkPolicy);
  return target;
}

const fieldOf = (kind: DataSourceKind) => addressFields[kind] ?? 'config';

/** Normalizes a data source's `config` without looking up names. Throws a 400 that names the field. */
export async function normaliseTarget(
  orgId: string,
  kind: DataSourceKind,
  config: GivenConfig,
  rules: TargetRules,
): Promise<Target> {
  const target = await readers[kind](config, rules, orgId);
  if (target.address !== null && target.address.length > maxAddressLength) {
    throw invalid('body', fieldOf(kind), 'is too long in its normal form');
  }
  return target;
}

async function readRepository(config: GivenConfig, rules: TargetRules, orgId: string): Promise<Target> {
  const branch = config.branch ?? null;
  if (branch !== null && !isBranchName(branch)) {
    throw invalid('body', 'config.branch', "must be a branch's name by git's rules (git check-ref-format)");
  }
  const { url, scheme, address, endpoint, suggestedName } = readGitAddress(config.url!);
  const branches: Record<string, string> = config.branches ? { branches: config.branches } : {};
  if (scheme !== 'file') return { config: { url, branch, ...branches }, address, endpoint, suggestedName };
  const local = await findLocalRepository(url, await rules.localRepositories(orgId));
  const resolved = readGitAddress(local.url);
  return {
    config: { url: resolved.url, branch, ...branches },
    address: resolved.address,
    endpoint: null,
    suggestedName,
  };
}

async function requireReachable(field: string, endpoint: NonNullable<Target['endpoint']>, policy: NetworkPolicy) {
  try {
    await policy.check(endpoint.host, endpoint.port);
  } catch (error) {
    if (error instanceof NetworkRefusal) throw invalid('body', field, error.message);
    if (!(error instanceof HostNotFound)) throw error;
  }
}
