import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type SmallDisk = { directory: string; remove(): void };

/** Mounts a file system of this size; null if that is not allowed: only root on Linux can. */
export function mountSmallDisk(bytes: number): SmallDisk | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null;
  const directory = mkdtempSync(join(tmpdir(), 'assay-small-disk-'));
  const options = `size=${bytes},mode=0755`;
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'assay-test', directory]).status !== 0) {
    rmSync(directory, { recursive: true });
    return null;
  }
  return {
    directory,
    remove() {
      spawnSync('umount', [directory]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
