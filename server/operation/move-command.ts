import type { Command } from 'commander';
import { addJsonOption, printResult } from '../platform/command-output.ts';
import { asOwner } from '../platform/postgres/cells/as-owner.ts';
import { acceptMove } from '../platform/postgres/cells/end-moves.ts';
import { type Moved, moveOrganization } from '../platform/postgres/cells/move-organization.ts';
import { type Cells, requireUrl } from '../platform/postgres/cells/move-servers.ts';
import { inspectServer } from './check-cells.ts';

type Options = { to: string; accept?: boolean };

/** Throws unless the organization's cell can publish, and the other one subscribe. */
async function requireReplication(cells: Cells, from: string, to: string): Promise<void> {
  const source = await asOwner(requireUrl(cells, from), inspectServer);
  const target = await asOwner(requireUrl(cells, to), inspectServer);
  const lacks = [
    ...(source.level === 'logical' ? [] : [`${from}: set wal_level = logical, and restart the server.`]),
    ...(source.replicates ? [] : [`${from}: ALTER ROLE … REPLICATION for its login.`]),
    // The second one is for a table that is copied.
    ...(Math.min(source.slots, source.senders) >= 2
      ? []
      : [`${from}: raise max_replication_slots and max_wal_senders: two must be free.`]),
    ...(target.subscribes
      ? []
      : [`${to}: GRANT pg_create_subscription TO its login; on PostgreSQL 15 it must be a superuser.`]),
    ...(target.workers >= 2 ? [] : [`${to}: raise max_logical_replication_workers.`]),
  ];
  if (lacks.length > 0) throw new Error(`The move lacks:\n${lacks.join('\n')}`);
}

async function move(cells: Cells, id: string, to: string): Promise<Moved & { from: string }> {
  const interruption = new AbortController();
  const stop = () => interruption.abort(new Error('Interrupted: the organization is where it was.'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  try {
    return await moveOrganization(cells, { id, to, stopping: interruption.signal, require: requireReplication });
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, stop);
  }
}

/** Adds `organization move`. */
export function registerMoveCommand(organization: Command, configured: () => Cells): void {
  const command = organization
    .command('move <id>')
    .description('move an organization to another cell while it works')
    .requiredOption('--to <cell>', 'the cell of ASSAY_CELLS, or home')
    .option(
      '--accept',
      'end a move whose comparison was interrupted, or has found a difference: this cell has the right rows',
    );
  addJsonOption(command).action(async (id: string, { to, accept }: Options) => {
    const cells = configured();
    if (accept) {
      await acceptMove(cells, { id, to });
      printResult(command, { organization: id, cell: to }, [
        `${id} is in ${to}. Its rows in the other cell are deleted after a day.`,
      ]);
      return;
    }
    const { from, stoppedMs, different } = await move(cells, id, to);
    const isEqual = different.length === 0;
    printResult(command, { organization: id, from, to, stopped_ms: Math.round(stoppedMs), different }, [
      `${id} has moved from ${from} to ${to}. It was stopped for ${Math.round(stoppedMs)} ms.`,
      isEqual
        ? `All rows are equal. Those in ${from} are deleted after a day.`
        : `STOPPED: the rows differ in ${different.join(', ')}. "assay cell check" says what to do.`,
    ]);
    if (!isEqual) process.exitCode = 1;
  });
}
