import { redactedSecret, redactTexts } from '../detectors/secrets/redact-text.ts';
import type { ReadDetection } from './format.ts';

/** A result about a website, a host or a port. */
export type WebResult = Omit<ReadDetection, 'identity' | 'equals'> & {
  /**
   * The part of the identity besides rule and address: a port, a parameter, a path; nothing that changes between scans.
   */
  target: string[];
};

/**
 * Credentials, however weak, in the form in which scanners report that a target accepted them:
 * `https://x/:admin:admin:HTTP/1.1 200`.
 */
const printedPasswords = [
  /(:\/\/[^\s/:@]{0,200}:)[^\s/@]{1,200}(?=@)/g,
  /(:[^\s:/@]{1,200}:)[^\s:/]{1,200}(?=:HTTP\/)/g,
  /((?:^|[\s("'])(?!(?:mailto|acct|xmpp|sips?):)[\w.-]{1,100}:)[^\s:@/]{2,200}(?=@)/gim,
];

const withoutPasswords = (text: string): string =>
  printedPasswords.reduce((left, pattern) => left.replaceAll(pattern, `$1${redactedSecret}`), text);

/**
 * Identity: rule, and address, port, path and parameter if the tool reports them. Several locations are one problem.
 * Secrets that the target revealed are redacted in every text.
 */
export function webResult({ target, title, description = '', evidence = '', ...result }: WebResult): ReadDetection {
  const [shownTitle, shownDescription, shownEvidence] = redactTexts([title, description, evidence]).map(
    withoutPasswords,
  );
  return {
    ...result,
    identity: ['web', result.rule.id, ...target],
    equals: 'places',
    title: shownTitle!,
    description: shownDescription || undefined,
    evidence: shownEvidence || undefined,
  };
}

/** Returns an address without query, fragment (scanners vary both) and credentials; null for other texts. */
export function stableAddress(address: string | undefined): string | null {
  if (address === undefined || !URL.canParse(address)) return null;
  const url = new URL(address);
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/** Returns a web address for display, without credentials. */
export function shownAddress(address: string | undefined): string | null {
  if (address === undefined || !/^https?:/i.test(address) || !URL.canParse(address)) return null;
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href.slice(0, 2_000);
}
