import { type Command, InvalidArgumentError } from 'commander';
import { scopes as knownScopes, type Scope } from '../../organization/roles.ts';
import {
  addJsonOption,
  parseDuration,
  printResult,
  tableLines,
  type WithDatabase,
} from '../../platform/command-output.ts';
import { ApiError } from '../../platform/errors.ts';
import { requireName } from '../../platform/name.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { formatTimeOrNull } from '../../platform/times.ts';
import { noticeAccount } from '../account-notices.ts';
import { requireEmail } from '../create-user.ts';
import { findAccount, findMembership, requireOrganization } from '../find-account.ts';
import { issueToken, revokeToken } from '../issue-token.ts';
import { tokenView } from '../profile/schema.ts';
import { findOrganizationOfToken, listTokens, type TokenOfOrganization } from '../token-queries.ts';

type CreateOptions = {
  email: string;
  organization?: string;
  name: string;
  scopes?: Scope[];
  expires?: number;
};
type ListOptions = { email?: string; organization?: string };

/** Creates a token of a person; `expires` is in milliseconds from now. */
async function createTokenOf(database: Database, options: CreateOptions) {
  const user = await findAccount(database, options.email);
  const { org_id: orgId } = await findMembership(database, user, options.organization);
  const expiresAt = options.expires === undefined ? null : new Date(Date.now() + options.expires);
  const wanted = { userId: user.id, name: requireName(options.name), scopes: options.scopes ?? null, expiresAt };
  const issued = await database.transaction(orgId, async (tx) => {
    await noticeAccount(tx, 'token_created', { userId: user.id, address: null });
    return issueToken(tx, orgId, wanted);
  });
  return { ...tokenView(issued), email: user.email, organization: orgId, token: issued.token };
}

/** Revokes a token by its id. Throws `not_found` when there is no such valid token. */
export async function revokeTokenById(database: Database, id: string): Promise<void> {
  const orgId = await findOrganizationOfToken(database, id);
  const revoked = orgId !== null && (await database.transaction(orgId, (tx) => revokeToken(tx, orgId, id, null)));
  if (!revoked) throw new ApiError('not_found', `There is no token ${id}, or it is already revoked.`);
}

function parseScopes(text: string): Scope[] {
  const wanted = text.split(',').map((scope) => scope.trim());
  const unknown = wanted.find((scope) => !knownScopes.includes(scope as Scope));
  if (unknown === undefined) return [...new Set(wanted)] as Scope[];
  throw new InvalidArgumentError(`"${unknown}" is not one of ${knownScopes.join(', ')}.`);
}

const listedView = (token: TokenOfOrganization) => ({
  ...tokenView(token),
  email: token.email,
  revoked_at: formatTimeOrNull(token.revoked_at),
});

function describeState(token: ReturnType<typeof listedView>): string {
  if (token.revoked_at !== null) return `revoked ${token.revoked_at}`;
  return token.expires_at === null ? 'valid' : `valid until ${token.expires_at}`;
}

function registerCreate(token: Command, withDatabase: WithDatabase): void {
  const command = token
    .command('create')
    .description('create an API token of a person; it is printed only once')
    .requiredOption('--email <address>', 'the email address of the person')
    .option('--organization <id>', 'the organization; needed when the person belongs to several')
    .option('--name <name>', 'what the token is for', 'Command line')
    .option('--scopes <list>', 'the scopes to which it is limited, such as findings:read,scans:write', parseScopes)
    .option('--expires <duration>', 'how long the token is valid, such as 90d', parseDuration);
  addJsonOption(command).action((options: CreateOptions) =>
    withDatabase(async (database) => {
      const created = await createTokenOf(database, options);
      const until = created.expires_at === null ? 'It does not expire.' : `It expires at ${created.expires_at}.`;
      printResult(command, created, [
        created.token,
        `${created.id} of ${created.email}. ${until} It is not shown again.`,
      ]);
    }),
  );
}

function registerList(token: Command, withDatabase: WithDatabase): void {
  const command = token
    .command('list')
    .description('list the API tokens of an organization')
    .option('--email <address>', 'list only the tokens of this person')
    .option('--organization <id>', 'the organization; needed when there are several');
  addJsonOption(command).action((options: ListOptions) =>
    withDatabase(async (database) => {
      const orgId = await requireOrganization(database, options.organization);
      const email = options.email === undefined ? null : requireEmail(options.email);
      const data = (await listTokens(database, orgId, email)).map(listedView);
      const rows = data.map((token) => [
        token.id,
        token.email,
        token.name,
        describeState(token),
        token.last_used_at ?? 'never used',
      ]);
      printResult(command, { data }, tableLines(['ID', 'PERSON', 'NAME', 'STATE', 'LAST USED'], rows));
    }),
  );
}

/** Adds `token create`, `token list` and `token revoke`. */
export function registerTokenCommand(program: Command, withDatabase: WithDatabase): void {
  const token = program.command('token').description('create, list and revoke API tokens');
  registerCreate(token, withDatabase);
  registerList(token, withDatabase);
  const revoke = token
    .command('revoke')
    .description('revoke an API token with immediate effect')
    .argument('<id>', 'tok_…');
  addJsonOption(revoke).action((id: string) =>
    withDatabase(async (database) => {
      await revokeTokenById(database, id);
      printResult(revoke, { id, revoked: true }, [`${id} is revoked.`]);
    }),
  );
}
