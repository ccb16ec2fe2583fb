import { redactTexts } from '../detectors/secrets/redact-text.ts';
import type { ReadDetection } from './format.ts';

/** A result about a website, a host or a port. */
export type WebResult = Omit<ReadDetection, 'identity' | 'equals'> & {
  /** The subject besides rule and address: a port, a parameter, a path; nothing that changes from scan to scan. */
  target: string[];
};

/**
 * Identity: rule, and address, port, path and parameter where the tool reports them. Several places are one problem.
 */
export function webResult({ target, evidence, ...result }: WebResult): ReadDetection {
  return {
    ...result,
    identity: ['web', result.rule.id, ...target],
    equals: 'places',
    evidence: evidence === undefined ? undefined : redactTexts([evidence])[0],
  };
}

/** Returns an address without query, fragment (scanners vary both) and credentials; null for other texts. */
export function stableAddress(address: string | undefined): string | null {
  if (address === undefined || !URL.canParse(address)) return null;
  const url = new URL(address);
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/** Returns a web address to show, without credentials. */
export function shownAddress(address: string | undefined): string | null {
  if (address === undefined || !/^https?:/i.test(address) || !URL.canParse(address)) return null;
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href.slice(0, 2_000);
}
