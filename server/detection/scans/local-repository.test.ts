import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { TargetError } from '@assay/scanner/contract/target-error.ts';
import { findLocalRepository } from '../../data-sources/local-repository.ts';
import type { ScannableDataSource } from '../../data-sources/queries.ts';
import type { ApiError } from '../../platform/errors.ts';
import { CachedDirectories } from '../../platform/room/cached-directories.ts';
import { Room } from '../../platform/room/room.ts';
import { createKeyring } from '../../platform/sealed.ts';
import type { DetectionServices } from '../services.ts';
import { whileCheckedOut } from './checkout.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'assay-escape-')));
after(() => rmSync(root, { recursive: true, force: true }));
const [allowed, outside] = [join(root, 'allowed'), join(root, 'outside')];

const author = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.com' };
const committer = { GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.com' };
const git = (...commandLine: string[]) =>
  execFileSync('git', commandLine, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: '1', ...author, ...committer },
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();

function makeRepository(path: string, text: string): string {
  git('init', '--quiet', '--initial-branch=main', path);
  writeFileSync(join(path, 'file.txt'), text);
  git('-C', path, 'add', '.');
  git('-C', path, 'commit', '--quiet', '-m', 'First');
  return path;
}

makeRepository(outside, 'nobody inside may read this');
const outsideGit = join(outside, '.git');
const outsideHead = git('-C', outside, 'rev-parse', 'HEAD');
git('-C', outside, 'repack', '-adq');
git('clone', '--quiet', '--bare', outside, join(root, 'allowed.git'));
const inner = makeRepository(join(allowed, 'inner'), 'inner');

const keyring = createKeyring('k'.repeat(40));
const services = {
  keyring,
  localRepositories: async () => [allowed],
  cacheDirectory: join(root, 'cache'),
  caches: new CachedDirectories(join(root, 'cache')),
  room: new Room(root),
  egressProxyUrl: 'http://127.0.0.1:9',
} as unknown as DetectionServices;

const rowOf = (path: string, id: string) =>
  ({
    id,
    kind: 'git_repository',
    name: 'x',
    address: null,
    sealed_credential: null,
    config: { url: pathToFileURL(path).href, branch: null },
  }) as unknown as ScannableDataSource;

function fetchAsScan(path: string, id: string = randomUUID(), using: DetectionServices = services) {
  const signal = AbortSignal.timeout(600_000);
  const order = { orgId: 'org', source: 'secrets', row: rowOf(path, id), signal, progress: () => {} };
  return whileCheckedOut(using, order, async (target) => ({ ...target, isDamaged: false }));
}

const find = (path: string) => findLocalRepository(pathToFileURL(path).href, [allowed]);

/** Creates a repository inside the allowed directory, for the test to change. */
const fresh = (name: string) => makeRepository(join(allowed, name), name);

/** Makes `path` serve the branch of the outside repository, whose objects are found through other means. */
function pointAtOutside(path: string) {
  mkdirSync(join(path, '.git/refs/heads'), { recursive: true });
  writeFileSync(join(path, '.git/HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(path, '.git/refs/heads/main'), `${outsideHead}\n`);
}

/** Writes a multi-pack index whose only pack name starts with a directory, in the format of git's documentation. */
function withPackNames(index: Buffer, directory: string): Buffer {
  const chunks = Array.from({ length: index[6]! + 1 }, (_, at) => ({
    id: index.toString('latin1', 12 + at * 12, 16 + at * 12),
    offset: Number(index.readBigUInt64BE(16 + at * 12)),
  }));
  const names = chunks.findIndex(({ id }) => id === 'PNAM');
  const [start, end] = [chunks[names]!.offset, chunks[names + 1]!.offset];
  const name = `${directory}/${index.toString('latin1', start, index.indexOf(0, start))}\0`;
  const longer = Buffer.alloc(Math.ceil(name.length / 4) * 4);
  longer.write(name, 'latin1');
  const moved = Buffer.concat([index.subarray(0, start), longer, index.subarray(end)]);
  for (const [at, { offset }] of chunks.entries())
    if (offset >= end) moved.writeBigUInt64BE(BigInt(offset + longer.length - (end - start)), 16 + at * 12);
  return moved;
}

const escapes: Record<string, (path: string) => void> = {
  'alternates that lead out': (path) => {
    pointAtOutside(path);
    writeFileSync(join(path, '.git/objects/info/alternates'), `${outsideGit}/objects\n`);
  },
  'relative alternates that lead out': (path) => {
    pointAtOutside(path);
    writeFileSync(join(path, '.git/objects/info/alternates'), '../../../../outside/.git/objects\n');
  },
  'alternates in quotes': (path) => {
    pointAtOutside(path);
    writeFileSync(join(path, '.git/objects/info/alternates'), `"${outsideGit}/objects"\n`);
  },
  'alternates of alternates': (path) => {
    pointAtOutside(path);
    const other = fresh('chained');
    writeFileSync(join(other, '.git/objects/info/alternates'), `${outsideGit}/objects\n`);
    writeFileSync(join(path, '.git/objects/info/alternates'), `${other}/.git/objects\n`);
  },
  'alternates by HTTP': (path) => writeFileSync(join(path, '.git/objects/info/http-alternates'), '/objects\n'),
  'a linked .git': (path) => {
    rmSync(join(path, '.git'), { recursive: true });
    symlinkSync(outsideGit, join(path, '.git'));
  },
  'a .git file': (path) => {
    rmSync(join(path, '.git'), { recursive: true });
    writeFileSync(join(path, '.git'), `gitdir: ${outsideGit}\n`);
  },
  'a relative .git file': (path) => {
    rmSync(join(path, '.git'), { recursive: true });
    writeFileSync(join(path, '.git'), 'gitdir: ../../outside/.git\n');
  },
  'linked objects': (path) => {
    rmSync(join(path, '.git/objects'), { recursive: true });
    symlinkSync(join(outsideGit, 'objects'), join(path, '.git/objects'));
    pointAtOutside(path);
  },
  'a linked pack': (path) => {
    pointAtOutside(path);
    const packs = join(outsideGit, 'objects/pack');
    for (const file of readdirSync(packs)) symlinkSync(join(packs, file), join(path, '.git/objects/pack', file));
  },
  'a multi-pack index that names packs elsewhere': (path) => {
    pointAtOutside(path);
    const packs = join(path, '.git/objects/pack');
    mkdirSync(packs, { recursive: true });
    git('-C', outside, 'multi-pack-index', 'write');
    const index = readFileSync(join(outsideGit, 'objects/pack/multi-pack-index'));
    rmSync(join(outsideGit, 'objects/pack/multi-pack-index'));
    writeFileSync(join(packs, 'multi-pack-index'), withPackNames(index, '../../../../../outside/.git/objects/pack'));
  },
  'linked refs': (path) => {
    rmSync(join(path, '.git/refs'), { recursive: true });
    symlinkSync(join(outsideGit, 'refs'), join(path, '.git/refs'));
  },
  'a linked HEAD': (path) => {
    rmSync(join(path, '.git/HEAD'));
    symlinkSync(join(outsideGit, 'HEAD'), join(path, '.git/HEAD'));
  },
  'a commondir': (path) => writeFileSync(join(path, '.git/commondir'), `${outsideGit}\n`),
  'a worktree of a repository outside': (path) => {
    rmSync(path, { recursive: true });
    git('-C', outside, 'worktree', 'add', '--quiet', path);
  },
  'an included configuration': (path) =>
    appendFileSync(join(path, '.git/config'), `[core]\n\tbare = false\n[IncludeIf "gitdir:/"]path = ${root}/x\n`),
  'a promisor remote': (path) =>
    appendFileSync(join(path, '.git/config'), `[remote "o"]\n\turl = file://${outside}\n\tpromisor = true\n`),
  'a broken link': (path) => symlinkSync(join(root, 'missing'), join(path, '.git/refs/heads/broken')),
};

for (const [what, spoil] of Object.entries(escapes)) {
  test(`a file: repository with ${what} is refused when it is added and at every scan`, async () => {
    const path = fresh(what.replaceAll(/\W/g, '-'));
    const id = randomUUID();
    await fetchAsScan(path, id);
    spoil(path);
    await assert.rejects(find(path), (error: ApiError) => {
      assert.equal(error.details?.[0]?.field, 'config.url');
      assert.doesNotMatch(error.message, new RegExp(root));
      return /entirely inside/.test(error.message);
    });
    await assert.rejects(
      fetchAsScan(path, id),
      (error) => error instanceof TargetError && /entirely/.test(error.message),
    );
  });
}

test('a repository next to an allowed directory is not read instead', async () => {
  await assert.rejects(fetchAsScan(allowed), TargetError);
  mkdirSync(join(allowed, 'empty'));
  git('clone', '--quiet', '--bare', outside, join(root, 'elsewhere.git'));
  await assert.rejects(fetchAsScan(join(allowed, 'empty')), TargetError);
});

test('a repository that leads outside during the fetch is deleted', async () => {
  const path = fresh('swapped');
  let calls = 0;
  const swapping = {
    ...services,
    localRepositories: async () => {
      if (++calls === 2) escapes['alternates that lead out']!(path);
      return [allowed];
    },
  };
  await assert.rejects(fetchAsScan(path, 'swapped', swapping), TargetError);
  assert.ok(!existsSync(join(root, 'cache/org/swapped/repository.git')));
});

test('a repository that stays inside the allowed directories is scanned, however it is composed', async () => {
  const bare = join(allowed, 'bare.git');
  git('clone', '--quiet', '--bare', inner, bare);
  const shared = join(allowed, 'shared');
  git('clone', '--quiet', '--shared', inner, shared);
  const worktree = join(allowed, 'worktree');
  git('-C', inner, 'worktree', 'add', '--quiet', worktree);
  const moved = fresh('moved');
  renameSync(join(moved, '.git'), join(allowed, 'moved-git'));
  symlinkSync('../moved-git', join(moved, '.git'));
  const packed = join(allowed, 'packed');
  cpSync(inner, packed, { recursive: true });
  git('-C', packed, 'repack', '-adq', '--write-midx');
  for (const path of [inner, bare, shared, worktree, moved, packed]) {
    const { repository } = await fetchAsScan(path);
    assert.equal(repository!.head, git('-C', path, 'rev-parse', 'HEAD'), path);
    assert.equal((await find(path)).url, pathToFileURL(path).href);
  }
});
