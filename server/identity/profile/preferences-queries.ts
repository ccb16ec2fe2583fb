import type { Database } from '../../platform/postgres/database.ts';

/** Returns a person's preferences; an empty object when they have set none. */
export async function findPreferences(database: Database, userId: string): Promise<Record<string, unknown>> {
  const [row] = await database.single<{ preferences: Record<string, unknown> }>(null, {
    name: 'user_preferences_find',
    text: 'SELECT preferences FROM user_preferences WHERE user_id = $1',
    values: [userId],
  });
  return row?.preferences ?? {};
}

export async function upsertPreferences(database: Database, userId: string, json: string): Promise<void> {
  await database.single(null, {
    name: 'user_preferences_upsert',
    text: `INSERT INTO user_preferences (user_id, preferences) VALUES ($1, $2)
           ON CONFLICT (user_id) DO UPDATE SET preferences = excluded.preferences, updated_at = excluded.updated_at`,
    values: [userId, json],
  });
}
