import pg from 'pg';
import { hashPassword } from '../server/identity/password.ts';
import { openEmbeddedPostgres } from '../server/platform/postgres/embedded-postgres.ts';
import { type FindingsDirectory, quietLog } from './prepare-findings.ts';

/** The owner of a prepared installation. */
export const owner = { email: 'owner@assay.local', password: 'a long enough secret' };

/** Gives the owner of the prepared installation a known password. */
export async function setPassword({ directory }: FindingsDirectory): Promise<void> {
  const { adminUrl } = await openEmbeddedPostgres({ directory, log: quietLog() });
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await client.query(
    `UPDATE accounts SET password = $1
     WHERE provider_id = 'credential' AND user_id = (SELECT id FROM users WHERE email = $2)`,
    [await hashPassword(owner.password), owner.email],
  );
  // A generated password is to be replaced before anything else.
  await client.query('UPDATE users SET initial_password_until = NULL WHERE email = $1', [owner.email]);
  await client.end();
}

/** Signs the owner in, and returns the session cookie. */
export async function signIn(address: string): Promise<string> {
  const { origin } = new URL(address);
  const response = await fetch(`${origin}/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify(owner),
  });
  if (!response.ok) throw new Error(`${response.status} for the sign-in: ${await response.text()}`);
  return response.headers.getSetCookie()[0]!.split(';')[0]!;
}
