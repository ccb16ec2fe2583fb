import { type Command, InvalidArgumentError } from 'commander';
import { addJsonOption, printResult, type WithDatabase } from '../../platform/command-output.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { type AuditChain, listAuditChains } from './audit-queries.ts';
import { type KnownHead, type VerifiedChain, verifyChain } from './verify-chain.ts';

type VerifyOptions = { organization?: string; head?: KnownHead };
type Verified = VerifiedChain & { organization: string; name: string };

function parseHead(text: string): KnownHead {
  const match = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text);
  if (!match) throw new InvalidArgumentError('It must be NUMBER:HASH, as an earlier run printed it.');
  return { sequence: Number(match[1]), hash: match[2]! };
}

async function chainsToVerify(database: Database, { organization, head }: VerifyOptions): Promise<AuditChain[]> {
  const all = await database.transaction(null, listAuditChains);
  const chosen = organization === undefined ? all : all.filter(({ orgId }) => orgId === organization);
  if (organization !== undefined && chosen.length === 0) {
    throw new ApiError('not_found', `There is no organization ${organization}.`);
  }
  if (head && chosen.length > 1) {
    throw new ApiError('conflict', 'A head belongs to one organization. Name it with --organization ID.');
  }
  return chosen;
}

function describe({ organization, name, events, hash, broken }: Verified): string {
  const whose = `${organization} (${name})`;
  if (broken === null) return `${whose}: ${events} events, unbroken. Head ${events}:${hash}`;
  const event = broken.eventId === null ? '' : ` (${broken.eventId}, ${broken.occurredAt ?? 'without a time'})`;
  return `${whose}: BROKEN at number ${broken.sequence}${event}. ${broken.reason} ${events} events before it are whole.`;
}

/** Adds `audit verify`, which exits with 1 when a chain is broken. */
export function registerAuditCommand(program: Command, withDatabase: WithDatabase): void {
  const audit = program.command('audit').description('check the audit log');
  const verify = audit
    .command('verify')
    .description('compute the chain of hashes of the audit log again, and say where it breaks')
    .option('--organization <id>', 'this organization only; by default all')
    .option('--head <number:hash>', 'a head that an earlier run printed: the log must still contain it', parseHead);
  addJsonOption(verify).action((options: VerifyOptions) =>
    withDatabase(async (database) => {
      const data: Verified[] = [];
      for (const { orgId, name } of await chainsToVerify(database, options)) {
        data.push({ organization: orgId, name, ...(await verifyChain(database, orgId, options.head)) });
      }
      const isWhole = data.every(({ broken }) => broken === null);
      const summary = isWhole
        ? 'Keep the heads outside the database: a later run with --head proves that nothing up to them was rewritten.'
        : 'The audit log was changed outside Assay, or is damaged. Compare it with a backup.';
      printResult(verify, { whole: isWhole, data }, [...data.map(describe), summary]);
      if (!isWhole) process.exitCode = 1;
    }),
  );
}
