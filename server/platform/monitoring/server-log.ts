import pg from 'pg';
import { type Log, openLog } from '../log.ts';
import { causeOfLine } from '../postgres/outage.ts';
import { createRepeatedLines } from '../repeated-lines.ts';

export type ServerLog = {
  log: Log;
  /** Changes the level of this log and its children. */
  setLevel(level: string): void;
  /** Accepts the address of the database, to recognise errors of an outage. */
  recogniseDatabase(url: string): void;
};

/** The signal that switches the level of the log. */
const levelSignal = 'SIGUSR2';

/** Opens the log of a long-running process: an outage writes one line a minute, and the level can be changed. */
export function openServerLog(options: { level: string }): ServerLog {
  let port: number | null = null;
  const repeated = createRepeatedLines((line) => causeOfLine(line, port));
  const children: WeakRef<Log>[] = [];
  const log = openLog({
    level: options.level,
    repeated,
    // A child with its own level, such as the log of audit chain heads, keeps it.
    onChild: (child) => child.level === log.level && children.push(new WeakRef(child)),
  });
  process.once('exit', () => repeated.flush());
  return {
    log,
    recogniseDatabase(url) {
      port = new pg.Client({ connectionString: url }).port;
    },
    setLevel(level) {
      log.level = level;
      for (const child of children) {
        const open = child.deref();
        if (open) open.level = level;
      }
    },
  };
}

/**
 * Switches the level of the log on SIGUSR2: to `debug`, and back on the next signal. From `debug` or `trace` it
 * switches to `info`. `onChange` passes the new level on to other processes.
 */
export function switchLevelOnSignal({ log, setLevel }: ServerLog, onChange: (level: string) => void = () => {}): void {
  const own = log.level;
  const other = ['debug', 'trace'].includes(own) ? 'info' : 'debug';
  process.on(levelSignal, () => {
    const level = log.level === own ? other : own;
    setLevel(level);
    onChange(level);
    // Written at any level, so that the sender of the signal gets a confirmation.
    log.child({}, { level: 'info' }).info({ logLevel: level }, 'The level of the log was changed.');
  });
}
