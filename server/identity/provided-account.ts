/** The provider's id in the accounts of people. It names the issuer: another one has other people for the same subject. */
export const providerOf = (issuer: string): string => `oidc:${issuer}`;

/** The provider's id before the issuer was part of it; the account's id was `issuer#subject`. */
export const formerProvider = 'oidc';

/** Splits the id `issuer#subject` of a person at a provider. An issuer has no fragment. */
export function readAccountId(accountId: string): { provider: string; subject: string } {
  const at = accountId.indexOf('#');
  return { provider: providerOf(accountId.slice(0, at)), subject: accountId.slice(at + 1) };
}
