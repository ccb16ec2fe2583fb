import type { Command } from 'commander';
import { createOrganization, newOrganizationId } from '../../organization/create-organization.ts';
import { addJsonOption, printResult, type WithDatabase } from '../../platform/command-output.ts';
import { ApiError } from '../../platform/errors.ts';
import { requireName } from '../../platform/name.ts';
import { insertOrganizationCell } from '../../platform/postgres/cells/cell-database.ts';
import { homeCell } from '../../platform/postgres/cells/cell-name.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { hashPasswordOf } from '../accounts/hash-password-of.ts';
import { defaultName, findOrCreateUser, requireEmail } from '../create-user.ts';
import { issueToken } from '../issue-token.ts';
import { generatePassword } from '../password.ts';
import { beginInitialPassword } from '../password-queries.ts';

type CreatedOrganization = {
  organization: { id: string; name: string };
  /** The password is null for a person who already had an account. */
  owner: { id: string; email: string; password: string | null };
  token: string;
};

/**
 * Creates an organization with an owner and their API token. The owner's account is created unless the address has a
 * verified one.
 */
async function createOwnedOrganization(database: Database, wanted: Options): Promise<CreatedOrganization> {
  const organization = { id: newOrganizationId(), name: requireName(wanted.name) };
  const email = requireEmail(wanted.ownerEmail);
  const cell = requireCell(database, wanted.cell);
  const password = generatePassword();
  const passwordHash = await hashPasswordOf(database, email, password);
  const owner = await database.transaction(null, async (tx) => {
    const person = await findOrCreateUser(tx, organization.id, { email, name: defaultName(email), passwordHash });
    if (person.isNew) await beginInitialPassword(tx, person.id);
    if (cell !== homeCell) await insertOrganizationCell(tx, organization.id, cell);
    return person;
  });
  return database.transaction(organization.id, async (tx) => {
    await createOrganization(tx, organization.id, { name: organization.name, ownerId: owner.id });
    const first = { userId: owner.id, name: 'First token', scopes: null, expiresAt: null };
    const { token } = await issueToken(tx, organization.id, first);
    return { organization, owner: { id: owner.id, email, password: owner.isNew ? password : null }, token };
  });
}

/** Returns the cell, the home cell by default. Throws for one that is not in the settings. */
function requireCell(database: Database, cell = homeCell): string {
  const known = [...(database.cells?.keys() ?? [homeCell])];
  if (known.includes(cell)) return cell;
  throw new ApiError('not_found', `There is no cell ${cell} in ASSAY_CELLS. Choose one of: ${known.join(', ')}.`);
}

type Options = { name: string; ownerEmail: string; cell?: string };

/** Adds `organization create`. */
export function registerCreateOrganizationCommand(organization: Command, withDatabase: WithDatabase): void {
  const command = organization
    .command('create')
    .description('create an organization, its owner if the person does not exist yet, and an API token of the owner')
    .requiredOption('--name <name>', 'the name of the organization')
    .requiredOption('--owner-email <address>', 'the email address of the owner')
    .option('--cell <name>', 'the cell of ASSAY_CELLS that holds the organization; by default the home cell');
  addJsonOption(command).action((options: Options) =>
    withDatabase(async (database) => {
      const created = await createOwnedOrganization(database, options);
      const { owner } = created;
      printResult(command, created, [
        `Organization  ${created.organization.id}  ${created.organization.name}`,
        `Owner         ${owner.id}  ${owner.email}`,
        ...(owner.password === null ? [] : [`Password      ${owner.password}`]),
        `API token     ${created.token}`,
        ...(owner.password === null
          ? []
          : ['The password works for 24 hours: at the first sign-in the owner chooses another one.']),
        'Keep them now: they are not shown again.',
      ]);
    }),
  );
}
