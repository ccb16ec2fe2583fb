import { invalid } from '../platform/errors.ts';

/** The place of a data source, in the form in which it is stored, compared and connected to. */
export type Target = {
  /** The `config` that the API returns, without the credential. */
  config: Record<string, string | null>;
  /** The address by which two data sources of a kind are the same; null when there is none. */
  address: string | null;
  /** The host to connect to, for the network policy; null when there is none. */
  endpoint: { host: string; port?: number } | null;
  /** The default name; null when there is nothing to derive it from. */
  suggestedName: string | null;
};

/** The maximum length of an address. Normal forms are checked again, since encoding makes them longer. */
export const maxAddressLength = 2_000;

/** Refuses text that no address contains, before any parser reads it. Throws the 400 of `field`. */
export function requirePlainText(field: string, text: string): void {
  if (text.length > maxAddressLength) throw invalid('body', field, `must have at most ${maxAddressLength} characters`);
  if (/[\s\x00-\x20\x7f]/.test(text)) throw invalid('body', field, 'must not contain spaces or control characters');
}
