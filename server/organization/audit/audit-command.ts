import { readFile } from 'node:fs/promises';
import { whyUnreadable } from '@assay/scanner/platform/why-unreadable.ts';
import { type Command, InvalidArgumentError } from 'commander';
import { addJsonOption, printResult, type WithDatabase } from '../../platform/command-output.ts';
import { ApiError } from '../../platform/errors.ts';
import { inEachCell } from '../../platform/postgres/cells/cell-database.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { type AuditChain, listAuditChains } from './audit-queries.ts';
import { type AuditHead, readHeads } from './heads/audit-head.ts';
import { type VerifiedHeads, verifyAgainstHeads } from './heads/verify-heads.ts';
import { type KnownHead, missing } from './verify-chain.ts';

type VerifyOptions = { organization?: string; head?: KnownHead; heads?: string; timestampCa?: string };
type Verified = VerifiedHeads & { organization: string; name: string | null };
/** Reads the file of certificates from the settings; null if none is set. */
type AuditSettings = () => { timestampCaFile: string | null };

function parseHead(text: string): KnownHead {
  const match = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text);
  if (!match) throw new InvalidArgumentError('It must be NUMBER:HASH, as an earlier run printed it.');
  return { sequence: Number(match[1]), hash: match[2]! };
}

async function chainsToVerify(database: Database, { organization, head }: VerifyOptions): Promise<AuditChain[]> {
  const all = (await inEachCell(database, (cell) => cell.transaction(null, listAuditChains))).flat();
  const chosen = organization === undefined ? all : all.filter(({ orgId }) => orgId === organization);
  if (organization !== undefined && chosen.length === 0) {
    throw new ApiError('not_found', `There is no organization ${organization}.`);
  }
  if (head && chosen.length > 1) {
    throw new ApiError('conflict', 'A head belongs to one organization. Name it with --organization ID.');
  }
  return chosen;
}

/** Reads an external log. Throws if it contains no head, which would otherwise look like agreement. */
async function readOutside(path: string): Promise<Map<string, AuditHead[]>> {
  const heads = await readHeads(path).catch((error) => {
    throw new ApiError('invalid_request', `The heads can't be read: ${whyUnreadable(error, path)}`);
  });
  if (heads.length === 0) {
    throw new ApiError('invalid_request', `${path} has no line that ends with "audit head ORGANIZATION NUMBER:HASH".`);
  }
  return Map.groupBy(heads, ({ orgId }) => orgId);
}

async function readTrusted(path: string | null) {
  if (path === null) return null;
  const { readCertificates } = await import('./heads/timestamp.ts');
  try {
    return readCertificates(await readFile(path, 'utf8'));
  } catch (error) {
    throw new ApiError('invalid_request', `The certificates can't be read: ${whyUnreadable(error, path)}`);
  }
}

const isGone = (organization: string, heads: AuditHead[]): Verified => ({
  organization,
  name: null,
  events: 0,
  hash: null,
  broken: missing(1, 'The organization is not in the database, and its head is in the log outside.'),
  heads: { outside: heads.length, noted: 0 },
  timestamps: { checked: 0, unchecked: 0, last: null },
});

async function verify(database: Database, options: VerifyOptions, caFile: string | null): Promise<Verified[]> {
  const outside = options.heads === undefined ? null : await readOutside(options.heads);
  const trusted = await readTrusted(caFile);
  const named = options.head ? [options.head] : [];
  const data: Verified[] = [];
  for (const { orgId, name } of await chainsToVerify(database, options)) {
    const evidence = { named, outside: outside && (outside.get(orgId) ?? []), trusted };
    data.push({ organization: orgId, name, ...(await verifyAgainstHeads(database, orgId, evidence)) });
    outside?.delete(orgId);
  }
  const gone = options.organization === undefined ? [...(outside ?? [])] : [];
  return [...data, ...gone.map(([orgId, heads]) => isGone(orgId, heads))];
}

function describe({ organization, name, events, hash, broken, heads, timestamps }: Verified): string {
  const whose = `${organization} (${name ?? 'gone'})`;
  if (broken !== null) {
    const event = broken.eventId === null ? '' : ` (${broken.eventId}, ${broken.occurredAt ?? 'without a time'})`;
    return `${whose}: BROKEN at number ${broken.sequence}${event}. ${broken.reason} ${events} events before it are intact.`;
  }
  const { last, unchecked } = timestamps;
  const details = [
    heads.outside > 0 ? ` ${heads.outside} heads of the log outside agree.` : '',
    last === null ? '' : ` Number ${last.sequence} existed at ${last.time}, by its timestamp.`,
    unchecked > 0 ? ` ${unchecked} timestamps were not checked: name the CA with --timestamp-ca.` : '',
  ];
  return `${whose}: ${events} events, unbroken.${details.join('')} Head ${events}:${hash}`;
}

/** Adds `audit verify`, which exits with 1 if a chain is broken. */
export function registerAuditCommand(program: Command, withDatabase: WithDatabase, settings: AuditSettings): void {
  const audit = program.command('audit').description('check the audit log');
  const command = audit
    .command('verify')
    .description('recompute the chain of hashes of the audit log, and say where it breaks')
    .option('--organization <id>', 'this organization only; by default all')
    .option('--head <number:hash>', 'a head that an earlier run printed: the log must still contain it', parseHead)
    .option('--heads <file>', 'the log outside to which heads were sent: the log must still contain all of them')
    .option(
      '--timestamp-ca <file>',
      'certificates that are trusted for timestamps; by default ASSAY_AUDIT_TIMESTAMP_CA',
    );
  addJsonOption(command).action((options: VerifyOptions) =>
    withDatabase(async (database) => {
      const data = await verify(database, options, options.timestampCa ?? settings().timestampCaFile);
      const isWhole = data.every(({ broken }) => broken === null);
      const summary = isWhole
        ? 'Keep the heads outside the database: a later run with --head or --heads proves that nothing up to them was rewritten.'
        : 'The audit log was changed outside Assay, or is damaged. Compare it with a backup.';
      printResult(command, { whole: isWhole, data }, [...data.map(describe), summary]);
      if (!isWhole) process.exitCode = 1;
    }),
  );
}
