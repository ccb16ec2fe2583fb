/** A time of day, in UTC. */
export type TimeOfDay = { hour: number; minute: number };

/** Scheduled backups by the workers: one a day into a folder of `directory`, of which the newest `keep` are kept. */
export type BackupSettings = { directory: string; at: TimeOfDay; keep: number };

const dayMs = 86_400_000;

/** Returns the last time at which a backup was due. */
export function lastDue({ hour, minute }: TimeOfDay, now: Date): Date {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), hour, minute);
  return new Date(today <= now.getTime() ? today : today - dayMs);
}
