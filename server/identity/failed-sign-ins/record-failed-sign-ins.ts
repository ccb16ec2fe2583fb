import type { Database } from '../../platform/postgres/database.ts';
import { formatTime } from '../../platform/times.ts';
import { changeAccount, recordAccountAudit } from '../account-changes/change-account.ts';
import { findUser } from '../queries.ts';
import { listUnrecordedSignIns, markRecorded, type UnrecordedRow } from './failed-sign-in-queries.ts';

const batchSize = 500;

async function recordOne(database: Database, row: UnrecordedRow): Promise<void> {
  await changeAccount({ database }, row.user_id, async (tx, account) => {
    const user = await findUser(tx, row.user_id);
    if (!(await markRecorded(tx, row)) || !user) return;
    const { attempts, methods, first_at, last_at } = row;
    await recordAccountAudit(tx, account, {
      // The actor is unknown: the event contains only the address.
      actor: { userId: null, tokenId: null, address: row.address || null },
      action: 'account.sign_in_failed',
      target: { id: user.id, name: user.name },
      details: {
        attempts,
        methods,
        first_at: formatTime(first_at),
        last_at: formatTime(last_at),
        ...(row.address === '' && { addresses: 'several' }),
      },
    });
  });
}

/** Records failed sign-ins in the audit logs of the person's organizations. Safe on several nodes at once. */
export async function recordFailedSignIns(database: Database): Promise<void> {
  for (const row of await database.transaction(null, (tx) => listUnrecordedSignIns(tx, batchSize))) {
    await recordOne(database, row);
  }
}
