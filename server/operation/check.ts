import type { FeedLocations } from '../detection/services.ts';
import type { BackupSettings } from '../platform/backup/backup-settings.ts';
import type { Database } from '../platform/postgres/database.ts';
import type { Room } from '../platform/room/room.ts';

export const checkStates = ['ok', 'warning', 'failed'] as const;
export type CheckState = (typeof checkStates)[number];

/** The parts of an installation that are checked, in display order. */
export const checkNames = [
  'database',
  'room',
  'clock',
  'backup',
  'jobs',
  'schedules',
  'schema',
  'roles',
  'replicas',
  'feeds',
] as const;
export type CheckName = (typeof checkNames)[number];

/** The result for one part: a sentence, and what to do if it is not `ok`. */
export type Outcome = { state: CheckState; summary: string; action: string | null };
export type Check = { name: CheckName } & Outcome;

/** The settings and facts about this machine that checks use. */
export type CheckedSettings = {
  replicas: { urls: string[]; maxLagMs: number };
  feeds: FeedLocations;
  backups: BackupSettings | null;
  /** The data directory of this machine; null if it contains nothing that matters. */
  room: Room | null;
};

export type CheckInput = CheckedSettings & { database: Database };

export const ok = (summary: string): Outcome => ({ state: 'ok', summary, action: null });
export const warning = (summary: string, action: string): Outcome => ({ state: 'warning', summary, action });
export const failed = (summary: string, action: string): Outcome => ({ state: 'failed', summary, action });

/** Formats a duration: `45 seconds`, `3 hours`, `2 days`. */
export function durationText(seconds: number): string {
  const units: Array<[number, string]> = [
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ];
  const [size, unit] = units.find(([length]) => seconds >= 2 * length) ?? [1, 'second'];
  const count = Math.max(0, Math.floor(seconds / size));
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** Returns the most severe state. */
export const worstOf = (checks: ReadonlyArray<{ state: CheckState }>): CheckState =>
  checks.reduce<CheckState>(
    (worst, { state }) => (checkStates.indexOf(state) > checkStates.indexOf(worst) ? state : worst),
    'ok',
  );
