import pg from 'pg';

/** Runs `run` with a connection as the owner of the tables. */
export async function asOwner<T>(connectionString: string, run: (owner: pg.Client) => Promise<T>): Promise<T> {
  const owner = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  owner.on('error', () => {});
  await owner.connect();
  try {
    return await run(owner);
  } finally {
    await owner.end();
  }
}
