import { redactTexts } from '../detectors/secrets/redact-text.ts';
import type { ReadDetection } from './format.ts';

/** A result about something that answers on a network: a website, a host, a port. */
export type WebResult = Omit<ReadDetection, 'identity' | 'equals'> & {
  /** What it is about, beyond rule and address: a port, a parameter, a path; no part that changes from scan to scan. */
  target: string[];
};

/** Identity: rule, and address, port, path and parameter as far as the tool tells them. Told in several places, it is one problem. */
export function webResult({ target, evidence, ...result }: WebResult): ReadDetection {
  return {
    ...result,
    identity: ['web', result.rule.id, ...target],
    equals: 'places',
    evidence: evidence === undefined ? undefined : redactTexts([evidence])[0],
  };
}

/** An address without what a scanner makes up for each try (query, fragment) and without credentials; null when it is none. */
export function stableAddress(address: string | undefined): string | null {
  if (address === undefined || !URL.canParse(address)) return null;
  const url = new URL(address);
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/** A web address to show; credentials in it are left out. */
export function shownAddress(address: string | undefined): string | null {
  if (address === undefined || !/^https?:/i.test(address) || !URL.canParse(address)) return null;
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href.slice(0, 2_000);
}
