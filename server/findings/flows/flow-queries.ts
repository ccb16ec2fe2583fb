import { closings } from '../lifecycle.ts';

/** SQL of how many opened, closed, and by how many the open ones grew. */
export const opened = 'f.new + f.reopened';
export const closed = closings.map((closing) => `f.${closing}`).join(' + ');
export const grown = `${opened} + f.reclassified - (${closed})`;

/** SQL of the moves of the findings `chosen` from a time on: `at`, `severity` and `move`. */
export const movesOfChosen = (from: string): string =>
  `SELECT first_seen_at AS at, severity, 'new' AS move FROM chosen WHERE first_seen_at >= ${from}
   UNION ALL SELECT h.at, c.severity, h.move FROM chosen c JOIN finding_history h ON h.org_id = $1 AND h.finding_id = c.id
   WHERE h.move IS NOT NULL AND h.at >= ${from}`;
