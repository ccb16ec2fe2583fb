import { type GitOptions, runGit } from '@assay/scanner/platform/git.ts';
import { RepositoryError } from './git-failure.ts';
import { isBranchName, parseGitUrl } from './git-url.ts';

export type Remote = { head: string; branch: string; ref: string };
export type Git = Omit<GitOptions, 'gitDirectory'>;

/** Returns the address and the branch. Throws a `RepositoryError` if one is refused. */
export function readRequest(request: { url: string; branch: string | null; allowFile: boolean }) {
  const address = parseGitUrl(request.url);
  const branch = request.branch?.replace(/^refs\/heads\//, '') || null;
  if (branch !== null && !isBranchName(branch)) throw branchNotFound(branch);
  if (address.scheme === 'file' && !request.allowFile) {
    throw new RepositoryError(
      'refused',
      'Repositories on this machine are not allowed here. The operator can allow their directory.',
    );
  }
  return { address, branch };
}

function branchNotFound(branch: string): RepositoryError {
  return new RepositoryError(
    'branch_not_found',
    `The repository has no branch ${JSON.stringify(branch.slice(0, 100))}.`,
  );
}

/**
 * Settings for serving a checked `file:` repository: without looking for another repository beside it (`--strict`), and
 * without the multi-pack index, whose pack names could lead anywhere.
 */
const strictUploadPack = '--upload-pack=git -c core.multiPackIndex=false upload-pack --strict';
export const uploadPackOf = (request: { recheckFile?: unknown }) => (request.recheckFile ? [strictUploadPack] : []);

export /** Asks the remote for the branch, or for its default branch. */
async function findRemoteBranch(url: string, branch: string | null, git: Git, options: string[]): Promise<Remote> {
  const wanted = branch === null ? 'HEAD' : `refs/heads/${branch}`;
  const refs = await listRemote([...options, '--symref', '--', url, wanted], git);
  const head = refs.get(wanted);
  if (head) {
    const target = refs.get(`symref ${wanted}`);
    const ref = target?.startsWith('refs/heads/') ? target : wanted;
    return { head, branch: ref.replace(/^refs\/heads\//, ''), ref };
  }
  const all = await listRemote([...options, '--heads', '--', url], git);
  if (all.size === 0) throw new RepositoryError('empty', 'The repository is empty: there is nothing to scan yet.');
  if (branch !== null) throw branchNotFound(branch);
  throw new RepositoryError('branch_not_found', 'The repository has no default branch: name the branch to scan.');
}

async function listRemote(rest: string[], git: Git): Promise<Map<string, string>> {
  const { stdout } = await runGit(['ls-remote', ...rest], {
    ...git,
    gitDirectory: null,
    timeoutMs: Math.min(git.timeoutMs, 120_000),
    outputBytes: 64 * 1024 * 1024,
  });
  const refs = new Map<string, string>();
  for (const line of stdout.toString('utf8').split('\n')) {
    const [value, name] = line.split('\t');
    if (!value || !name) continue;
    if (value.startsWith('ref: ')) refs.set(`symref ${name}`, value.slice(5));
    else if (/^[0-9a-f]{40,64}$/.test(value)) refs.set(name, value);
  }
  return refs;
}
