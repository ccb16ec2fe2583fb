import type { Log } from '../log.ts';
import { slowStatement } from '../postgres/outage.ts';
import { watchStatements } from '../postgres/statement-watch.ts';

/**
 * Logs statements that take longer than `slowMs` (0: none), with their name and organization; at level `debug`, all
 * statements. Neither texts nor values are logged: they may be secrets. Applies to all connections of this process.
 */
export function logSlowStatements(log: Log, slowMs: number): void {
  watchStatements(({ statement, orgId, elapsedMs }) => {
    const isSlow = slowMs > 0 && elapsedMs >= slowMs;
    if (!isSlow && !log.isLevelEnabled('debug')) return;
    const line = { statement, orgId, durationMs: Math.round(elapsedMs * 10) / 10 };
    if (isSlow) log.warn(line, slowStatement);
    else log.debug(line, 'statement');
  });
}
