import { connect } from 'node:net';
import type pg from 'pg';
import { databaseOutlet } from './database-outlet.ts';

/** The code of a CancelRequest in PostgreSQL's protocol. */
const cancelRequestCode = 80_877_102;

/**
 * Asks the server, through a connection of its own, to cancel what the client runs. The request may come late and meet the client's
 * next statement: the client must not be used again.
 */
export function cancelStatement(client: pg.Client, connectionString: string): void {
  const { processID, secretKey } = client as unknown as { processID: number; secretKey: number };
  const { outlet } = databaseOutlet(connectionString);
  const request = Buffer.alloc(16);
  for (const [index, value] of [request.length, cancelRequestCode, processID, secretKey].entries())
    request.writeInt32BE(value, 4 * index);
  const socket = connect(outlet, () => socket.end(request));
  socket.setTimeout(5_000, () => socket.destroy()).on('error', () => {});
}
