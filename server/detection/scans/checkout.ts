import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { DetectionResult, DetectionRun, DetectionTarget } from '@assay/scanner/contract/detector.ts';
import { DamagedRepository, TargetError } from '@assay/scanner/contract/target-error.ts';
import { type FetchedRepository, fetchRepository, releaseRepository } from '../../data-sources/connectors/git.ts';
import { RepositoryError } from '../../data-sources/connectors/git-failure.ts';
import { openCredential } from '../../data-sources/credential.ts';
import { findLocalRepository } from '../../data-sources/local-repository.ts';
import type { ScannableDataSource } from '../../data-sources/queries.ts';
import { ApiError } from '../../platform/errors.ts';
import type { DetectionServices } from '../services.ts';

type Services = Pick<
  DetectionServices,
  'cacheDirectory' | 'caches' | 'egressProxyUrl' | 'keyring' | 'localRepositories' | 'room' | 'stopping'
>;

/** The data source to check out, and the detection source that reads it. */
export type CheckoutOrder = { orgId: string; source: string; row: ScannableDataSource } & Pick<
  DetectionRun,
  'signal' | 'progress'
>;

/** Returns the directory of a data source's files on this worker. Ids are safe as file names. */
const cacheOf = (cacheDirectory: string, orgId: string, dataSourceId: string): string =>
  join(cacheDirectory, orgId, dataSourceId);

/**
 * Runs `detect` on a data source that is ready on this worker: the newest state of its repository, or its address.
 * The repository stays unchanged until `detect` has ended, even if other scans of the data source fetch newer
 * commits. If `detect` finds it damaged, the next scan fetches it again.
 */
export async function whileCheckedOut<T extends Pick<DetectionResult, 'isDamaged'>>(
  services: Services,
  order: CheckoutOrder,
  detect: (target: DetectionTarget) => Promise<T>,
): Promise<T> {
  const { orgId, row, source } = order;
  // The files of the data source, and the scanner's own database.
  return services.caches.whileUsed([`${orgId}/${row.id}`, `tools/${source}`], async () => {
    await requireRoom(services, order);
    const directory = join(cacheOf(services.cacheDirectory, orgId, row.id), source);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const { kind, name, address } = row;
    if (kind !== 'git_repository') return detect({ kind, name, repository: null, address, directory });
    const repository = await fetchTarget(services, order);
    return whileRead(repository, () => detect({ kind, name, repository, address: null, directory }));
  });
}

/** Releases a fetched repository once `read` has ended. A repository that it finds damaged is discarded. */
export async function whileRead<T extends Pick<DetectionResult, 'isDamaged'>>(
  repository: FetchedRepository,
  read: () => Promise<T>,
): Promise<T> {
  let isDamaged = false;
  try {
    const result = await read();
    isDamaged = result.isDamaged ?? false;
    return result;
  } catch (error) {
    isDamaged = error instanceof DamagedRepository;
    throw error;
  } finally {
    await releaseRepository(repository, { isDamaged });
  }
}

const saysWhyMs = 2_500;

/** Throws LowOnRoom while the disk is nearly full, after the scan has shown that it waits for space. */
async function requireRoom({ room, stopping }: Services, { progress }: CheckoutOrder): Promise<void> {
  try {
    await room.require();
  } catch (error) {
    progress(null, 'Waiting for room on the disk of the worker: the operator has to make some');
    await delay(saysWhyMs, undefined, { signal: stopping }).catch(() => {});
    throw error;
  }
}

/** Removes the files of a data source from this worker. */
export async function removeCache(
  { cacheDirectory }: Pick<Services, 'cacheDirectory'>,
  orgId: string,
  dataSourceId: string,
): Promise<void> {
  await rm(cacheOf(cacheDirectory, orgId, dataSourceId), { recursive: true, force: true });
}

async function fetchTarget(
  services: Services,
  { orgId, source, row, signal, progress }: CheckoutOrder,
): Promise<FetchedRepository> {
  const config = row.config as { url: string; branch: string | null; branches?: 'all' };
  // Links, files and the operator's list may have changed since the data source was added.
  const findLocal = async () => findLocalRepository(config.url, await services.localRepositories(orgId));
  try {
    const local = config.url.startsWith('file:') ? await findLocal() : null;
    return await fetchRepository({
      url: local === null ? config.url : pathToFileURL(local.gitDirectory).href,
      branch: config.branch,
      // The other sources read the files of one branch.
      allBranches: source === 'secrets' && config.branches === 'all',
      credential: openCredential(services.keyring, orgId, row),
      directory: cacheOf(services.cacheDirectory, orgId, row.id),
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
