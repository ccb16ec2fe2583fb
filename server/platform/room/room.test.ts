import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pino } from 'pino';
import { mountSmallDisk } from '../../../tests/harness/small-disk.ts';
import { ApiError } from '../errors.ts';
import { isInterruption } from '../interruption.ts';
import { CachedDirectories } from './cached-directories.ts';
import { directorySize } from './directory-size.ts';
import { RoomKeeper } from './keep-room.ts';
import { LowOnRoom, Room } from './room.ts';
import { keptBytes, lowBytes, type ReadSpace, readSpace } from './space.ts';

const megabyte = 1024 ** 2;
const gigabyte = 1024 ** 3;
const diskBytes = 64 * megabyte;

test('caches leave a tenth of a small disk free, and 2 GiB of a large one; half of that is kept for triage', () => {
  assert.equal(keptBytes(10 * gigabyte), gigabyte);
  assert.equal(keptBytes(4_000 * gigabyte), 2 * gigabyte);
  assert.equal(lowBytes(4_000 * gigabyte), gigabyte);
});

test('the space of a directory that does not exist yet is that of the disk that will contain it', async () => {
  const found = await readSpace(join(tmpdir(), 'not', 'there', 'yet'));
  assert.ok(found.freeBytes > 0 && found.freeBytes <= found.totalBytes);
});

test('work that finds too little space is interrupted, and a request is refused with what to do and no path', async () => {
  let freeBytes = gigabyte;
  const room = new Room('/srv/assay', async () => ({ freeBytes, totalBytes: 20 * gigabyte }));
  await room.require();
  await room.requireFor('imports');
  freeBytes -= 1;
  await assert.rejects(room.require(), (error: Error) => error instanceof LowOnRoom && isInterruption(error));
  await assert.rejects(room.requireFor('imports'), (error: unknown) => {
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.code, error.headers['Retry-After']], ['unavailable', '60']);
    assert.match(error.message, /no imports .* everything else continues.* Try again/);
    assert.doesNotMatch(error.message, /srv|GB/);
    return true;
  });
});

/**
 * A disk: a real mounted one where root can mount, and everywhere a simulated one, filled by the size of its
 * directory.
 */
type Disk = { directory: string; read: ReadSpace; remove(): void };

function measuredDisk(): Disk {
  const directory = mkdtempSync(join(tmpdir(), 'assay-measured-disk-'));
  const read = async () => ({ freeBytes: diskBytes - (await directorySize(directory)), totalBytes: diskBytes });
  return { directory, read, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

function mountedDisk(): Disk | null {
  const disk = mountSmallDisk(diskBytes);
  return disk && { ...disk, read: readSpace };
}

for (const [kind, open] of [
  ['a mounted disk', mountedDisk],
  ['a disk whose room is computed', measuredDisk],
] as const) {
  describe(`on ${kind}`, { skip: kind === 'a mounted disk' && process.getuid?.() !== 0 }, () => {
    const write = (path: string, bytes: number, usedAt: number) => {
      mkdirSync(join(path, 'repository.git'), { recursive: true });
      writeFileSync(join(path, 'repository.git', 'pack'), Buffer.alloc(bytes, 1));
      writeFileSync(join(path, 'known_hosts'), 'host ssh-ed25519 AAAA');
      utimesSync(path, usedAt, usedAt);
    };
    const hasClone = (path: string) => existsSync(join(path, 'repository.git'));

    async function withDisk(run: (disk: Disk, parts: ReturnType<typeof partsOn>) => Promise<void>): Promise<void> {
      const disk = open();
      assert.ok(disk, 'root can mount a small disk');
      try {
        await run(disk, partsOn(disk));
      } finally {
        disk.remove();
      }
    }

    function partsOn({ directory, read }: Disk) {
      const lines: Array<Record<string, unknown>> = [];
      const log = pino({}, { write: (text: string) => void lines.push(JSON.parse(text)) });
      const room = new Room(directory, read);
      const root = join(directory, 'cache');
      const caches = new CachedDirectories(root, ['known_hosts']);
      return { room, caches, root, lines, keeper: new RoomKeeper({ room, caches, log }) };
    }

    test('caches are removed when space is short, least recently used first, and only as many as necessary', async () => {
      await withDisk(async (_disk, { room, root, keeper, lines }) => {
        for (const [index, name] of ['oldest', 'older', 'newer', 'newest'].entries()) {
          write(join(root, 'org', name), 14 * megabyte, 1_000 + index);
        }
        await keeper.keep();
        assert.deepEqual(lines, []);
        write(join(root, 'org', 'just'), 4 * megabyte, 2_000);
        assert.equal((await room.find()).state, 'short');
        await keeper.keep();
        assert.equal((await room.find()).state, 'ok');
        const kept = readdirSync(join(root, 'org')).filter((name) => hasClone(join(root, 'org', name)));
        assert.deepEqual(kept.sort(), ['just', 'newer', 'newest', 'older']);
        assert.deepEqual(
          lines.map(({ removed }) => removed),
          [['org/oldest']],
        );
        // Host keys are trusted on first use and compared from then on, so they are kept.
        assert.ok(existsSync(join(root, 'org', 'oldest', 'known_hosts')));
        assert.deepEqual(readdirSync(root), ['org']);
      });
    });

    test('a directory that a scan uses stays, even for a scan of another process, and counts as used until the scan ends', async () => {
      await withDisk(async (_disk, { room, root, caches, keeper, lines }) => {
        for (const name of ['ours', 'theirs', 'idle']) write(join(root, 'org', name), 20 * megabyte, 1_000);
        const module = new URL('./cached-directories.ts', import.meta.url).href;
        const script = `import { CachedDirectories } from '${module}';
          new CachedDirectories('${root}').whileUsed(['org/theirs'], () => new Promise(() => { process.send('holds'); setInterval(() => {}, 1000); }));`;
        const file = join(root, 'holder.mts');
        writeFileSync(file, script);
        const holder = fork(file);
        await once(holder, 'message');
        await caches.whileUsed(['org/ours'], async () => {
          await keeper.keep();
          assert.deepEqual(
            ['ours', 'theirs', 'idle'].map((name) => hasClone(join(root, 'org', name))),
            [true, true, false],
          );
        });
        holder.kill('SIGKILL');
        await once(holder, 'exit');
        assert.equal((await room.find()).state, 'ok');
        write(join(root, 'org', 'another'), 20 * megabyte, 1_000);
        // The directories used most recently are removed last.
        await keeper.keep();
        assert.deepEqual(
          ['ours', 'theirs', 'another'].map((name) => hasClone(join(root, 'org', name))),
          [true, true, false],
        );
        assert.ok(lines.length >= 2);
      });
    });

    test('the log says what fills a disk without removable caches, and when it has space again', async () => {
      await withDisk(async ({ directory }, { room, keeper, lines }) => {
        mkdirSync(join(directory, 'postgres'));
        writeFileSync(join(directory, 'postgres', 'table'), Buffer.alloc(61 * megabyte, 1));
        writeFileSync(join(directory, 'mail'), Buffer.alloc(megabyte / 2, 1));
        assert.equal((await room.find()).state, 'low');
        await keeper.keep();
        await keeper.keep();
        const [line, ...more] = lines as Array<{ level: number; msg: string; filledBy: Record<string, string> }>;
        assert.deepEqual(more, [], 'it says so once');
        assert.match(line!.msg, /fetches and imports wait, triage continues/);
        assert.deepEqual(Object.keys(line!.filledBy).slice(0, 2), ['postgres', 'mail']);
        assert.match(line!.filledBy.postgres!, /^6[0-9] MB$/);
        rmSync(join(directory, 'postgres', 'table'));
        await keeper.keep();
        assert.match(String(lines.at(-1)!.msg), /has enough space again/);
      });
    });
  });
}

test('a directory that could not be created is not locked forever, nor are those locked before it', async () => {
  const root = mkdtempSync(join(tmpdir(), 'assay-held-'));
  const caches = new CachedDirectories(root);
  writeFileSync(join(root, 'file'), '');
  await assert.rejects(caches.whileUsed(['kind/held', 'file/none'], async () => assert.fail('it ran')));
  writeFileSync(join(root, 'kind', 'held', 'content'), 'x');
  const [cached] = await caches.list();
  assert.equal(cached!.name, 'kind/held');
  assert.notEqual(await caches.remove(cached!), null);
  rmSync(root, { recursive: true });
});
