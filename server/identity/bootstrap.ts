import { createOrganization, newOrganizationId } from '../organization/create-organization.ts';
import { requireName } from '../platform/name.ts';
import type { Database } from '../platform/postgres/database.ts';
import { listAccounts } from './accounts/account-queries.ts';
import { hashPasswordOf } from './accounts/hash-password-of.ts';
import { retireAccount } from './accounts/retire-account.ts';
import { withPeople } from './accounts/with-people.ts';
import { createUser, defaultName, requireEmail } from './create-user.ts';
import { issueToken } from './issue-token.ts';
import { checkPassword, generatePassword } from './password.ts';
import { beginInitialPassword } from './password-queries.ts';
import { findFirstOrganization, hasVerifiedUsers } from './queries.ts';
import { isToken } from './token.ts';

/** The operator's settings for the first start; null where Assay chooses. */
export type BootstrapOptions = {
  adminEmail: string | null;
  adminPassword: string | null;
  organization: string | null;
  token: string | null;
};

/** The credentials to print once. A password or token that the operator chose is null: it is never printed. */
export type Bootstrapped = {
  organization: { id: string; name: string };
  email: string;
  userId: string;
  password: string | null;
  token: string | null;
};

const lock = `SELECT pg_advisory_xact_lock(hashtext('assay bootstrap'))`;

/**
 * Returns the errors in the operator's settings, each as a sentence, to be reported together with other configuration
 * errors.
 */
export function checkBootstrapOptions(options: BootstrapOptions): string[] {
  const errors: string[] = [];
  const attempt = (variable: string, check: () => void) => {
    try {
      check();
    } catch (error) {
      errors.push(`${variable}${(error as Error).message.replace(/^\w+/, '')}`);
    }
  };
  const { adminEmail, adminPassword, organization, token } = options;
  if (adminEmail !== null) attempt('ASSAY_ADMIN_EMAIL', () => requireEmail(adminEmail));
  if (adminPassword !== null) {
    attempt('ASSAY_ADMIN_PASSWORD', () => checkPassword(adminPassword, { email: adminEmail ?? undefined }));
  }
  if (organization !== null) attempt('ASSAY_ORGANIZATION', () => requireName(organization));
  if (token !== null && !isToken(token)) {
    errors.push('ASSAY_BOOTSTRAP_TOKEN: must be asy_, 34 letters or digits, and the checksum of those as 6 more');
  }
  return errors;
}

/**
 * Creates the first owner, organization and API token in an empty database; in any other database does
 * nothing and returns null. Several nodes may call it at once: one creates them, the others return null.
 */
export async function bootstrap(database: Database, options: BootstrapOptions): Promise<Bootstrapped | null> {
  if ((await findFirstOrganization(database)) !== null) return null;
  const errors = checkBootstrapOptions(options);
  if (errors.length > 0) throw new Error(errors.join('\n'));
  const email = requireEmail(options.adminEmail ?? 'owner@assay.local');
  const password = options.adminPassword ?? generatePassword();
  const passwordHash = await hashPasswordOf(database, email, password);
  const organization = {
    id: newOrganizationId(),
    name: requireName(options.organization ?? 'My organization'),
  };
  return withPeople(database, organization.id, async (tx, people) => {
    await tx.query({ text: lock });
    if ((await findFirstOrganization(database)) !== null) return null;
    const user = await people(async (home) => {
      if (await hasVerifiedUsers(home)) return null;
      // An earlier start may have ended after it had created the account.
      for (const account of await listAccounts(home, email)) await retireAccount(home, account);
      const created = await createUser(home, organization.id, { email, name: defaultName(email), passwordHash });
      if (options.adminPassword === null) await beginInitialPassword(home, created.id);
      return created;
    });
    if (!user) return null;
    await createOrganization(tx, organization.id, { name: organization.name, ownerId: user.id });
    const issued = await issueToken(tx, organization.id, {
      userId: user.id,
      name: 'First token',
      scopes: null,
      expiresAt: null,
      token: options.token ?? undefined,
    });
    return {
      organization,
      email,
      userId: user.id,
      password: options.adminPassword === null ? password : null,
      token: options.token === null ? issued.token : null,
    };
  });
}
