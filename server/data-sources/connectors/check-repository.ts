import { join } from 'node:path';
import { makeTemporaryDirectory } from '@assay/scanner/platform/temporary-directory.ts';
import type { RepositoryRequest } from './git.ts';
import { RepositoryError, repositoryError } from './git-failure.ts';
import { prepareTransport } from './git-transport.ts';
import { findRemoteBranch, readRequest, uploadPackOf } from './remote-branch.ts';

type CheckRequest = Pick<
  RepositoryRequest,
  'url' | 'branch' | 'credential' | 'proxyUrl' | 'allowFile' | 'recheckFile'
> & {
  timeoutMs: number;
};

/** Looks up the branch of a remote repository, without fetching or storing anything. Throws a `RepositoryError`. */
export async function checkRepository(request: CheckRequest): Promise<{ branch: string }> {
  const { address, branch } = readRequest(request);
  const temporary = await makeTemporaryDirectory();
  const signal = AbortSignal.timeout(request.timeoutMs);
  try {
    const transport = await prepareTransport(address, request.credential, {
      home: temporary.path,
      knownHosts: join(temporary.path, 'known_hosts'),
      proxyUrl: request.proxyUrl,
    });
    const git = { ...transport, home: temporary.path, signal, timeoutMs: request.timeoutMs };
    const remote = await findRemoteBranch(address.url, branch, git, uploadPackOf(request));
    await request.recheckFile?.();
    return { branch: remote.branch };
  } catch (error) {
    const failure = repositoryError(error);
    if (failure instanceof RepositoryError && signal.aborted) {
      throw new RepositoryError(
        'timeout',
        `The host did not respond within ${request.timeoutMs / 1000} seconds.`,
        error,
      );
    }
    throw failure;
  } finally {
    await temporary.remove();
  }
}
