/**
 * The provider's id in people's accounts. It includes the issuer: another issuer uses the same subject for other
 * people.
 */
export const providerOf = (issuer: string): string => `oidc:${issuer}`;

/** The provider's id in releases before the issuer was part of it; the account's id was `issuer#subject`. */
export const formerProvider = 'oidc';

/** Splits a person's id at a provider, `issuer#subject`. An issuer has no fragment. */
export function readAccountId(accountId: string): { provider: string; subject: string } {
  const at = accountId.indexOf('#');
  return { provider: providerOf(accountId.slice(0, at)), subject: accountId.slice(at + 1) };
}
