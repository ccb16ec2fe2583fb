import pg from 'pg';

/** A statement. With a `name` it is prepared once per connection; a name must always have the same text. */
export type Statement = {
  text: string;
  values?: unknown[];
  name?: string;
  /** Cancels the statement when it aborts: for a statement that may take seconds after its caller has left. */
  signal?: AbortSignal | undefined;
};

/** Returns the first word of a statement: `SELECT`, `UPDATE`, `BEGIN`. */
export const operationOf = (text: string): string => /^\s*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? 'OTHER';

/** Returns the statement that applies these settings until the transaction ends. */
export function setLocal(settings: Record<string, string>): Statement {
  const texts = Object.entries(settings).map(([name, value]) => {
    if (!/^[a-z_]+(\.[a-z_]+)?$/i.test(name)) throw new Error(`${JSON.stringify(name)} is not the name of a setting.`);
    return `SET LOCAL ${name} = ${pg.escapeLiteral(value)}`;
  });
  return { text: texts.join('; ') };
}

/**
 * The transaction's commit does not wait for the disk. A crash of the database server may then undo it, though never
 * without the commits after it: the next commit that waits makes it permanent. For transactions that only lock or
 * clean up, and for data that is not acknowledged before such a commit.
 */
export const withoutWaiting: Statement = setLocal({ synchronous_commit: 'off' });

/**
 * Returns a statement that applies further settings and makes the transaction's later statements use generic plans:
 * planned once per connection, whatever their values. Without it, eight lists took between 4 % less and 10 % more of
 * PostgreSQL's processor time among 20,000 findings, 3 % more in total.
 */
export const planWithoutValues = (settings: Record<string, string> = {}): Statement =>
  setLocal({ plan_cache_mode: 'force_generic_plan', ...settings });

/**
 * Returns the statement that shows only the rows of this organization until the transaction ends; no rows with null.
 * Throws for anything that is not an organization id: SET takes no parameters, so the id becomes part of the
 * statement.
 */
export function setOrganization(orgId: string | null): Statement {
  if (orgId !== null) requireOrganizationId(orgId);
  return setLocal({ 'app.org_id': orgId ?? '' });
}

/** Like `setOrganization`, in one of several cells: the statement fails if the organization has left the cell. */
export function enterOrganization(orgId: string): Statement {
  requireOrganizationId(orgId);
  return { text: `${entering}'${orgId}')` };
}

const entering = 'SELECT enter_organization(';

/** Returns whether a statement only begins a transaction: a span for it would be useless, and it contains a value. */
export const isBeginning = ({ text }: Statement): boolean =>
  ['BEGIN', 'SET'].includes(operationOf(text)) || text.startsWith(entering);

function requireOrganizationId(orgId: string): void {
  if (/^org_[a-z0-9_]{1,60}$/.test(orgId)) return;
  throw new Error(`${JSON.stringify(String(orgId).slice(0, 100))} is not the id of an organization.`);
}
