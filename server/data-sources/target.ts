import { invalid } from '../platform/errors.ts';

/** Where a data source is, in the one form in which it is kept, compared and connected to. */
export type Target = {
  /** What the API answers as `config`, without the credential. */
  config: Record<string, string | null>;
  /** By which two of a kind are the same; null when there is no place. */
  address: string | null;
  /** What is connected to, for the network policy; null when nothing is. */
  endpoint: { host: string; port?: number } | null;
  /** A name for those who give none; null when there is nothing to make one of. */
  suggestedName: string | null;
};

/** The longest address that is taken; canonical forms are checked again, since encoding makes them longer. */
export const maxAddressLength = 2_000;

/** Refuses what no address holds, before any parser sees it. Throws the 400 of `field`. */
export function requirePlainText(field: string, text: string): void {
  if (text.length > maxAddressLength) throw invalid('body', field, `must have at most ${maxAddressLength} characters`);
  if (/[\s\x00-\x20\x7f]/.test(text)) throw invalid('body', field, 'must not hold blanks or control characters');
}
