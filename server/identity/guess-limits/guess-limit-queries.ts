import type { Database } from '../../platform/postgres/database.ts';

type Limit = { key: string; burst: number; everySeconds: number };

/**
 * Takes a guess if one is left. Returns 0, or the seconds until the next one. The statement is atomic, so that no two
 * calls take the same guess. A time too far in the future, because the clock was set back, counts as no more than all
 * guesses used.
 */
export async function takeGuess(database: Database, { key, burst, everySeconds }: Limit): Promise<number> {
  const taken = await database.single(null, {
    name: 'guess_take',
    text: `INSERT INTO guess_limits AS g (key, full_at) VALUES ($1, now() + $3::int * interval '1 second')
           ON CONFLICT (key) DO UPDATE
             SET full_at = greatest(g.full_at, now()) + $3::int * interval '1 second'
             WHERE greatest(g.full_at, now()) + $3::int * interval '1 second' <= now() + $2::int * $3::int * interval '1 second'
           RETURNING 1`,
    values: [key, burst, everySeconds],
  });
  if (taken.length > 0) return 0;
  const rows = await database.single<{ seconds: number }>(null, {
    name: 'guess_wait',
    text: `UPDATE guess_limits SET full_at = least(full_at, now() + $2::int * $3::int * interval '1 second')
           WHERE key = $1
           RETURNING ceil(extract(epoch FROM full_at - now()) - ($2::int - 1) * $3::int)::int AS seconds`,
    values: [key, burst, everySeconds],
  });
  return Math.max(1, rows[0]?.seconds ?? 1);
}

export async function giveGuessBack(database: Database, { key, everySeconds }: Limit): Promise<void> {
  await database.single(null, {
    name: 'guess_give_back',
    text: `UPDATE guess_limits SET full_at = full_at - $2::int * interval '1 second' WHERE key = $1`,
    values: [key, everySeconds],
  });
}

export async function deleteFullGuessLimits(database: Database): Promise<void> {
  await database.single(null, { text: 'DELETE FROM guess_limits WHERE full_at < now()' });
}
