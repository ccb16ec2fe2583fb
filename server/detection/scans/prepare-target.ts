import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { fetchRepository } from '../../data-sources/connectors/git.ts';
import { RepositoryError } from '../../data-sources/connectors/git-failure.ts';
import { openCredential } from '../../data-sources/credential.ts';
import { findLocalRepository } from '../../data-sources/local-repository.ts';
import type { ScannableDataSource } from '../../data-sources/queries.ts';
import { ApiError } from '../../platform/errors.ts';
import type { DetectionTarget } from '../contract/detector.ts';
import { TargetError } from '../contract/target-error.ts';
import type { DetectionServices } from '../services.ts';

/** Returns the directory of a data source's files on this worker. Ids are safe as names. */
const cacheOf = (services: DetectionServices, orgId: string, dataSourceId: string): string =>
  join(services.cacheDirectory, orgId, dataSourceId);

/** Names what a scan by this source uses of the cache: the files of the data source, and the scanner's own database. */
export const cachesOf = (orgId: string, dataSourceId: string, source: string): string[] => [
  `${orgId}/${dataSourceId}`,
  `tools/${source}`,
];

const saysWhyMs = 2_500;

/** Throws LowOnRoom while the disk is nearly full, after the scan has said that it waits for room. */
async function requireRoom(
  { room, stopping }: DetectionServices,
  progress: (fraction: number | null, message: string) => void,
): Promise<void> {
  try {
    await room.require();
  } catch (error) {
    progress(null, 'Waiting for room on the disk of the worker: the operator has to make some');
    await delay(saysWhyMs, undefined, { signal: stopping }).catch(() => {});
    throw error;
  }
}

/** Removes the files of a data source from this worker. */
export async function removeCache(services: DetectionServices, orgId: string, dataSourceId: string): Promise<void> {
  await rm(cacheOf(services, orgId, dataSourceId), { recursive: true, force: true });
}

async function fetchTarget(
  services: DetectionServices,
  orgId: string,
  source: string,
  row: ScannableDataSource,
  signal: AbortSignal,
  progress: (fraction: number | null, message: string) => void,
): Promise<DetectionTarget['repository']> {
  const config = row.config as { url: string; branch: string | null; branches?: 'all' };
  // Links, files and the operator's list may have changed since it was added.
  const findLocal = async () => findLocalRepository(config.url, await services.localRepositories(orgId));
  try {
    const local = config.url.startsWith('file:') ? await findLocal() : null;
    return await fetchRepository({
      url: local === null ? config.url : pathToFileURL(local.gitDirectory).href,
      branch: config.branch,
      // The other sources look at the files of one branch.
      allBranches: source === 'secrets' && config.branches === 'all',
      credential: openCredential(services.keyring, orgId, row),
      directory: cacheOf(services, orgId, row.id),
      signal,
      progress,
      proxyUrl: services.egressProxyUrl,
      allowFile: local !== null,
      requireRoom: () => services.room.require(),
      recheckFile: local === null ? undefined : async () => void (await findLocal()),
    });
  } catch (error) {
    if (error instanceof RepositoryError) throw new TargetError(error.message, error, error.isTransient);
    if (error instanceof ApiError && error.code === 'invalid_request')
      throw new TargetError(`The URL ${error.details?.[0]?.message ?? 'is not accepted'}.`, error);
    throw error;
  }
}

/** Prepares a detector's target on this worker: the repository's newest state, or the address to connect to. */
export async function prepareTarget(
  services: DetectionServices,
  orgId: string,
  source: string,
  row: ScannableDataSource,
  signal: AbortSignal,
  progress: (fraction: number | null, message: string) => void,
): Promise<DetectionTarget> {
  await requireRoom(services, progress);
  const directory = join(cacheOf(services, orgId, row.id), source);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const isRepository = row.kind === 'git_repository';
  const repository = isRepository ? await fetchTarget(services, orgId, source, row, signal, progress) : null;
  return { kind: row.kind, name: row.name, repository, address: isRepository ? null : row.address, directory };
}
