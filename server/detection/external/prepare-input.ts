import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataSourceKind } from '@assay/scanner/contract/detector.ts';
import { TargetError } from '@assay/scanner/contract/target-error.ts';
import { HostNotFound, type NetworkPolicy, NetworkRefusal } from '@assay/scanner/platform/egress/network-policy.ts';
import { isTransientFailure } from '@assay/scanner/platform/egress/transient-failure.ts';
import type { Repository } from '@assay/scanner/repository/history.ts';
import { type SourceFile, writeFiles } from '@assay/scanner/repository/write-files.ts';
import { type Placeholder, type PlaceholderValues, uses } from './placeholders.ts';
import { borrowHistory } from './repository-files.ts';
import type { ToolDescription } from './tool-description.ts';

/** The target of a tool. */
export type ToolInput = {
  kind: DataSourceKind;
  /** The files of the newest version; null for targets without files. */
  files: (() => AsyncIterable<SourceFile>) | null;
  /** The history; null for targets without one. */
  history: { gitDirectory: string; head: string } | null;
  /** A URL, host or image reference. */
  address: string | null;
};

export type PreparedInput = {
  values: PlaceholderValues;
  /** The copy of the files, whose path must not appear in findings. */
  checkout: string | null;
  isIpv6: boolean;
  warnings: string[];
  /** The reason why the tool has nothing to scan here, or null. */
  nothingToDo: string | null;
};

type Context = { home: string; signal: AbortSignal; timeoutMs: number; networkPolicy: NetworkPolicy };

/** Creates the files that the tool's placeholders refer to, in the private directory `home`. Throws a TargetError. */
export async function prepareInput(
  description: ToolDescription,
  input: ToolInput,
  context: Context,
): Promise<PreparedInput> {
  const needs = (placeholder: Placeholder) => uses(description, input.kind, placeholder);
  const prepared: PreparedInput = { values: {}, checkout: null, isIpv6: false, warnings: [], nothingToDo: null };
  if (needs('directory')) await prepareFiles(description, input, context, prepared);
  if (needs('repository')) await prepareHistory(input, context, prepared);
  if (input.address !== null) await prepareAddress(description, input, context, prepared);
  return prepared;
}

async function prepareFiles(
  description: ToolDescription,
  input: ToolInput,
  { home, signal }: Context,
  prepared: PreparedInput,
): Promise<void> {
  if (!input.files) throw new TargetError(`${description.name} scans files, and there are none.`);
  // A unique name, because it is removed from the tool's output (without-prefix.ts).
  const checkout = await mkdtemp(join(home, 'files-'));
  const rules = { leaveOut: description.leave_out ?? [], signal };
  const written = await writeFiles(checkout, input.files(), rules);
  prepared.values.directory = checkout;
  prepared.checkout = checkout;
  prepared.warnings.push(...written.warnings);
  const needed = description.needs_files ?? [];
  const isThere = (wanted: string) =>
    wanted.startsWith('/')
      ? written.rootNames.has(wanted.slice(1))
      : [...written.names].some((name) => (wanted.startsWith('*') ? name.endsWith(wanted.slice(1)) : name === wanted));
  if (needed.length > 0 && !needed.some(isThere)) prepared.nothingToDo = `there is no ${needed.join(' or ')}`;
}

async function prepareHistory(input: ToolInput, context: Context, prepared: PreparedInput): Promise<void> {
  if (!input.history) throw new TargetError('It has no history to search.');
  const { gitDirectory, head } = input.history;
  const directory = join(context.home, 'repository.git');
  const { signal, timeoutMs, home } = context;
  const repository: Repository = { gitDirectory, home, signal, timeoutMs };
  await borrowHistory(repository, head, directory);
  prepared.values.repository = directory;
}

async function prepareAddress(
  description: ToolDescription,
  { kind, address }: ToolInput,
  { networkPolicy }: Context,
  prepared: PreparedInput,
): Promise<void> {
  prepared.values.address = address!;
  if (kind === 'container_image') return;
  const url = kind === 'website' ? new URL(address!) : null;
  const schemes: string[] = description.url_schemes ?? ['http', 'https'];
  if (url && !schemes.includes(url.protocol.slice(0, -1))) {
    prepared.nothingToDo = `it is for ${schemes.join(' and ')} only`;
    return;
  }
  const host = url ? url.hostname.replace(/^\[(.*)\]$/, '$1') : address!;
  const port = url ? Number(url.port || (url.protocol === 'https:' ? 443 : 80)) : undefined;
  Object.assign(prepared.values, { host, ...(port && { port: String(port) }) });
  if (!uses(description, kind, 'ip')) return;
  const first = await checkedAddress(networkPolicy, host, port);
  prepared.values.ip = first.address;
  prepared.isIpv6 = first.family === 6;
}

/**
 * Returns the one address that the tool may connect to. Among several the choice is stable, with IPv4 before IPv6.
 */
async function checkedAddress(policy: NetworkPolicy, host: string, port: number | undefined) {
  try {
    const { addresses } = await policy.check(host, port);
    return addresses.toSorted((a, b) => a.family - b.family || (a.address < b.address ? -1 : 1))[0]!;
  } catch (error) {
    if (error instanceof NetworkRefusal || error instanceof HostNotFound)
      throw new TargetError(error.message, error, isTransientFailure(error));
    throw error;
  }
}
