import { join } from 'node:path';
import { makeTemporaryDirectory } from '@assay/scanner/platform/temporary-directory.ts';
import pg from 'pg';
import type { Log } from '../log.ts';
import { startEmbeddedPostgres } from '../postgres/embedded-postgres.ts';
import { Room } from '../room/room.ts';
import { listBackups } from './backup-folders.ts';
import { countRows } from './backup-queries.ts';
import { rowsOf } from './backup-records.ts';
import { UnusableBackup } from './manifest.ts';
import { checkBackup, checkSecretKey, restoreDatabase } from './restore.ts';

const counted = ['organizations', 'findings'] as const;

type Count = { backup: number; restored: number };

export type DrillResult = {
  directory: string;
  takenAt: string;
  tables: number;
  rows: number;
  organizations: Count;
  findings: Count;
  /** The migrations that updated the backup to this release. */
  migrated: string[];
  seconds: number;
};

/** Durability is off: nothing in the scratch database must survive a crash. */
const fast = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** Returns the newest backup of a folder. */
export async function findNewestBackup(directory: string): Promise<string> {
  const [newest] = await listBackups(directory);
  if (newest !== undefined) return join(directory, newest);
  throw new UnusableBackup(`There is no backup in ${directory}. Scheduled ones appear there after ASSAY_BACKUP_AT.`);
}

async function countIn(adminUrl: string): Promise<Record<(typeof counted)[number], number>> {
  const owner = new pg.Client({ connectionString: adminUrl, application_name: 'assay backup drill' });
  await owner.connect();
  try {
    const count = (name: string) => countRows(owner, { schema: 'public', name, columns: [] });
    return { organizations: await count('organizations'), findings: await count('findings') };
  } finally {
    await owner.end();
  }
}

/**
 * Restores a backup into a temporary PostgreSQL, migrates it to this release, and counts its rows. Throws
 * UnusableBackup when something is missing. `secretKey` is the key of this installation, or null when the backup
 * contains it.
 */
export async function drillBackup(directory: string, secretKey: string | null, log: Log): Promise<DrillResult> {
  const begun = performance.now();
  const manifest = await checkBackup(directory);
  checkSecretKey(manifest, secretKey);
  const scratch = await makeTemporaryDirectory();
  try {
    await new Room(scratch.path).require();
    const data = join(scratch.path, 'data');
    const postgres = await startEmbeddedPostgres({ directory: data, log, what: 'assay backup drill', settings: fast });
    try {
      const { migrated, rows, tables } = await restoreDatabase(postgres.adminUrl, directory, manifest);
      const restored = await countIn(postgres.adminUrl);
      const [organizations, findings] = counted.map((table) => {
        const count = { backup: rowsOf(manifest, table), restored: restored[table] };
        if (count.backup === count.restored) return count;
        throw new UnusableBackup(
          `The restored database has ${count.restored} ${table} instead of the ${count.backup} of the backup.`,
        );
      });
      const seconds = Math.round((performance.now() - begun) / 100) / 10;
      const takenAt = manifest.createdAt;
      return {
        directory,
        takenAt,
        tables,
        rows,
        organizations: organizations!,
        findings: findings!,
        migrated,
        seconds,
      };
    } finally {
      await postgres.stop();
    }
  } finally {
    await scratch.remove();
  }
}
